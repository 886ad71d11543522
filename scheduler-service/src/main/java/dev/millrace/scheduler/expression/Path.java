package dev.millrace.scheduler.expression;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A plain path such as {@code steps.a.result.items[0].id}, evaluated without a script engine.
 *
 * @param root start of the path
 * @param segments rest of the path
 */
public record Path(Root root, List<Segment> segments) implements Expression {
    /** Maximum number of keys that a message lists. */
    private static final int KEYS_SHOWN_MAX = 20;

    public Path {
        segments = List.copyOf(segments);
    }

    /** A path without segments. */
    public Path(Root root) {
        this(root, List.of());
    }

    /** The first segment, if it is a key. */
    public Optional<String> firstKey() {
        return segments.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(segments.getFirst().key());
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue last = root.value(scope);
        @Nullable JsonValue current = last;
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (current == null || current.isNull()) {
                if (segment.optional()) {
                    return JsonValue.NULL;
                }
                throw current == null ? missing(i - 1, last) : missing(i, current);
            }
            last = current;
            current = segment.of(current);
            if (current == null && segment.optional()) {
                current = JsonValue.NULL;
            }
        }
        if (current == null) {
            throw missing(segments.size() - 1, last);
        }
        return current;
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public Reads reads() {
        return switch (root) {
            case Root.StepResult step -> Reads.step(step.id());
            case Root.StepResultIfAny step -> Reads.step(step.id());
            case Root.Inputs _,
                    Root.Item _,
                    Root.Index _,
                    Root.Variables _,
                    Root.Environment _,
                    Root.Result _,
                    Root.ResultsSoFar _,
                    Root.Failure _,
                    Root.Retry _,
                    Root.Reference _,
                    Root.Run _ -> Reads.NOTHING;
        };
    }

    private EvaluationFailed missing(int segment, JsonValue holder) {
        return new EvaluationFailed(
                prefix(segment + 1) + " does not exist: " + prefix(segment) + " is " + describe(holder) + ".");
    }

    private String prefix(int count) {
        return root + segments.stream().limit(count).map(Segment::toString).collect(Collectors.joining());
    }

    private static String describe(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> value.members().isEmpty() ? "an empty object" : "an object with the keys " + keys(value);
            case ARRAY -> "an array of " + value.elements().size() + " items";
            case STRING, NUMBER, BOOLEAN, NULL -> value.kind().phrase();
        };
    }

    private static String keys(JsonValue object) {
        int hidden = object.members().size() - KEYS_SHOWN_MAX;
        return object.members().keySet().stream()
                        .limit(KEYS_SHOWN_MAX)
                        .map(JsonStrings::quote)
                        .collect(Collectors.joining(", "))
                + (hidden > 0 ? " and " + hidden + " more" : "");
    }

    @Override
    public String toString() {
        return prefix(segments.size());
    }
}
