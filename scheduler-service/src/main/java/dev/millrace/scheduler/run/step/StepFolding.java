package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.MillraceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which steps of a run a reader wants.
 *
 * @param isFolded whether the steps inside large loops are left out
 * @param iteration key of the iteration to which the steps belong; empty for the whole run
 * @param largest key of a loop that is known to be folded, whose steps are left out without a closer look; empty for none
 */
public record StepFolding(boolean isFolded, String iteration, String largest) {
    /** All steps. */
    public static final StepFolding NONE = new StepFolding(false, "", "");
    /** All steps but those in large loops. */
    public static final StepFolding LOOPS = new StepFolding(true, "", "");

    public StepFolding {
        requireNonNull(iteration, "iteration");
        requireNonNull(largest, "largest");
    }

    /** Reads the fields of a request. An iteration is always folded. */
    public static StepFolding of(boolean folded, String iteration) {
        if (!iteration.isEmpty() && !LoopKeys.isIteration(iteration)) {
            throw MillraceException.invalid(
                    "iteration", "`" + iteration + "` (expected: the key of an iteration, for example count[3])");
        }
        return new StepFolding(folded || !iteration.isEmpty(), iteration, "");
    }

    /** The same for a reader who knows the folded loops: most steps of a run are inside the largest one. */
    public StepFolding knowing(Map<String, IterationCounts> loops) {
        return loops.entrySet().stream()
                .max(Comparator.comparingInt(loop -> loop.getValue().begun()))
                .map(loop -> new StepFolding(isFolded, iteration, loop.getKey()))
                .orElse(this);
    }

    /** What the keys of the steps inside the largest loop begin with; no key begins with a bracket. */
    String hidden() {
        return largest + "[";
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
            values.add(hidden());
        }
        values.add(limit);
        return values.toArray();
    }
}
