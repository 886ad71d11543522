package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.MillraceException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which steps of a run a reader wants.
 *
 * @param isFolded whether the steps inside large loops are left out
 * @param iteration key of the iteration to which the steps belong; empty for the whole run
 */
public record StepFolding(boolean isFolded, String iteration) {
    /** All steps. */
    public static final StepFolding NONE = new StepFolding(false, "");
    /** All steps but those in large loops. */
    public static final StepFolding LOOPS = new StepFolding(true, "");

    public StepFolding {
        requireNonNull(iteration, "iteration");
    }

    /** Reads the fields of a request. An iteration is always folded. */
    public static StepFolding of(boolean folded, String iteration) {
        if (!iteration.isEmpty() && !LoopKeys.isIteration(iteration)) {
            throw MillraceException.invalid(
                    "iteration", "`" + iteration + "` (expected: the key of an iteration, for example count[3])");
        }
        return new StepFolding(folded || !iteration.isEmpty(), iteration);
    }

    /** Position of the first character of a key that belongs to what is inside the iteration, from 1. */
    int inside() {
        return iteration.length() + 1;
    }

    /** Values of a query that has these conditions after its key, and then a limit. */
    Object[] values(List<Object> key, int limit) {
        List<Object> values = new ArrayList<>(key);
        if (isFolded) {
            values.add(iteration);
            values.add(inside());
        }
        values.add(limit);
        return values.toArray();
    }
}
