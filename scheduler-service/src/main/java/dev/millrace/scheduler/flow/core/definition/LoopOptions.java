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
 * How a loop combines its iterations.
 *
 * @param skipFailures if truthy, a failed iteration results in {@code {"error": …}} instead of failing the loop. Either
 *     a constant or a path from the iteration's item; it depends on nothing else, so every evaluation gives the same
 *     answer
 * @param breakIf evaluated after each iteration, with access to its result; if truthy, the loop ends
 * @param key name of an iteration in the result, which is then an object; absent if the result is an array
 * @param keepLast number of most recent iterations that the result keeps; absent to keep all
 */
public record LoopOptions(
        Template skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
    /** Results in an array of all results. */
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

    /** Creates options that skip either all failures or none. */
    public LoopOptions(boolean skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
        this(new Template.Constant(skipFailures ? JsonValue.TRUE : JsonValue.FALSE), breakIf, key, keepLast);
    }

    /** Returns whether a template, constants aside, can decide which failures are skipped. */
    public static boolean isPathFromItem(Template template) {
        return template instanceof Template.Whole(Path path) && path.root() instanceof Root.Item;
    }

    /** Returns whether the failure of the iteration over an item is skipped; false if the item has no such value. */
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
