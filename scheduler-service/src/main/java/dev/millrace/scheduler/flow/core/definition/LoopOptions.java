package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How the iterations of a loop come together.
 *
 * @param skipFailures where this is true, a failed iteration leaves {@code {"error": …}} as its result instead of failing the loop: a
 *     constant, or a path from the item of the iteration. It depends on nothing else, so that it is the same whenever it is looked at
 * @param breakIf ends the loop after an iteration where this is true; sees that iteration's result
 * @param key name of an iteration in the result, which then is an object; absent for an array
 * @param keepLast how many of the last iterations the result keeps; absent for all
 */
public record LoopOptions(
        Template skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
    /** An array of all results. */
    public static final LoopOptions DEFAULT =
            new LoopOptions(false, Optional.empty(), Optional.empty(), OptionalInt.empty());

    public LoopOptions {
        requireNonNull(breakIf, "breakIf");
        requireNonNull(key, "key");
        requireNonNull(keepLast, "keepLast");
        if (!(skipFailures instanceof Template.Constant) && !isPathFromItem(skipFailures)) {
            throw new IllegalArgumentException(
                    "skipFailures: " + skipFailures + " (expected: a constant, or a path from the item)");
        }
    }

    /** Skips all failures, or none. */
    public LoopOptions(boolean skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
        this(new Template.Constant(skipFailures ? JsonValue.TRUE : JsonValue.FALSE), breakIf, key, keepLast);
    }

    /** Whether a template can decide which failures are skipped, beside constants. */
    public static boolean isPathFromItem(Template template) {
        return template instanceof Template.Whole(Path path) && path.root() instanceof Root.Item;
    }

    /** Whether the failure of the iteration over this item is skipped; it is not if the item does not say so. */
    public boolean skipsFailure(JsonValue item) {
        try {
            return switch (skipFailures) {
                case Template.Constant constant -> constant.value().isTruthy();
                case Template.Whole(Path path) -> isTrueIn(item, path.segments());
                case Template other -> throw new IllegalStateException("no path from the item: " + other);
            };
        } catch (EvaluationFailed unreadable) {
            return false;
        }
    }

    private static boolean isTrueIn(JsonValue item, List<Segment> path) {
        @Nullable JsonValue value = item;
        for (Segment segment : path) {
            value = value == null ? null : segment.of(value);
        }
        return value != null && value.isTruthy();
    }
}
