package dev.millrace.client;

import static java.util.Objects.requireNonNull;

/**
 * Which steps of a run a caller wants.
 *
 * @param withPayloads whether the steps have their inputs and results
 * @param foldsLoops whether the steps inside loops of more than 20 iterations are left out; the step of such a loop then has
 *     {@link Step#iterations}
 * @param iteration key of an iteration, for example {@code count[3]}, for the steps inside it alone, which folds loops inside
 *     it; empty for the whole run
 */
public record StepFilter(boolean withPayloads, boolean foldsLoops, String iteration) {
    /** All steps, without inputs and results. */
    public static final StepFilter ALL = new StepFilter(false, false, "");
    /** All steps but those in large loops, without inputs and results. */
    public static final StepFilter FOLDED = new StepFilter(false, true, "");

    public StepFilter {
        requireNonNull(iteration, "iteration");
    }

    /** The steps inside an iteration, without inputs and results. */
    public static StepFilter inside(String iteration) {
        return new StepFilter(false, true, iteration);
    }

    /** The same steps with their inputs and results. */
    public StepFilter andPayloads() {
        return new StepFilter(true, foldsLoops, iteration);
    }
}
