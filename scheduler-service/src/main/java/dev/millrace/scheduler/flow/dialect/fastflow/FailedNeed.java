package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the first failed step among some left behind, {@code {"error": …}}; null where none of them has failed. A step that is left out
 * for it results in the same, so that whatever needs that one is left out, too.
 */
record FailedNeed(List<String> needs) implements Computed {
    FailedNeed {
        needs = List.copyOf(needs);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return needs.stream()
                .map(scope::stepResult)
                .filter(FailedNeed::isFailure)
                .findFirst()
                .orElse(JsonValue.NULL);
    }

    /** An error that names its step, unlike one that a script returns. */
    private static boolean isFailure(JsonValue result) {
        return result.kind() == JsonValue.Kind.OBJECT
                && result.members().size() == 1
                && members(result.members().getOrDefault("error", JsonValue.NULL))
                        .containsKey("step_id");
    }

    private static Map<String, JsonValue> members(JsonValue value) {
        return value.kind() == JsonValue.Kind.OBJECT ? value.members() : Map.of();
    }

    @Override
    public Reads reads() {
        return new Reads(Set.copyOf(needs), false);
    }

    @Override
    public Optional<String> text() {
        return new CallText(FastflowFunctions.FAMILY + ".failed").texts(needs).write();
    }
}
