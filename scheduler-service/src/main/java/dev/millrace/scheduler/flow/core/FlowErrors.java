package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.queue.core.JobError;

/** The errors that the engine itself finds in a run. */
final class FlowErrors {
    private FlowErrors() {}

    static JobError unresolved(String what, Resolution.Unresolved unresolved) {
        return JobError.permanent(unresolved.name(), "The " + what + " could not be resolved. " + unresolved.message());
    }

    static JobError wrongType(String what, String expected, String actual) {
        return JobError.permanent("WrongType", "The " + what + " is " + actual + " (expected: " + expected + ").");
    }

    static JobError tooManyItems(int items) {
        return JobError.permanent(
                "TooManyItems",
                "The loop has " + items + " items, more than the limit of " + FlowLimits.LOOP_ITEMS_MAX
                        + ". Group the items, so that each iteration takes several.");
    }

    static JobError gatheredTooLarge(int bytesMax) {
        return JobError.permanent(
                "PayloadTooLarge",
                "The results of the iterations together are larger than the limit of " + bytesMax
                        + " bytes. Let each iteration return a reference, such as a path or a URL, instead of the data.");
    }

    static JobError transitionTooLarge() {
        return JobError.permanent(
                "TransitionTooLarge",
                "More than " + FlowLimits.TRANSITION_WORK_MAX
                        + " steps and iterations would begin or end at once. Use fewer items or a lower parallelism in nested loops.");
    }

    static JobError ended(Failure failure) {
        return JobError.permanent("RunFailed", "The run failed at step \"" + failure.key() + "\".");
    }
}
