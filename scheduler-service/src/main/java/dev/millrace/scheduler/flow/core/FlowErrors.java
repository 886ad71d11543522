package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.queue.core.JobError;

/** The errors that the engine itself finds in a run. */
final class FlowErrors {
    /** Most characters of a value that a message quotes. */
    private static final int SHOWN_MAX = 100;

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

    static JobError noDuration(JsonValue value) {
        return JobError.permanent(
                "WrongType",
                "The duration is " + shown(value)
                        + " (expected: seconds as a number, or a duration such as 5m, of at most "
                        + FlowLimits.WAIT_MAX.toDays() + " days).");
    }

    static JobError noMoment(JsonValue value) {
        return JobError.permanent(
                "WrongType",
                "The moment is " + shown(value)
                        + " (expected: a time such as 2030-01-31T12:00:00Z, or milliseconds since 1970).");
    }

    private static String shown(JsonValue value) {
        return value.length() <= SHOWN_MAX ? value.toString() : value.kind().phrase();
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

    static JobError terminated(StepKey step) {
        return JobError.permanent("RunEnded", "Step \"" + step + "\" ended the run.");
    }

    static JobError ended(Failure failure) {
        return JobError.permanent("RunFailed", "The run failed at step \"" + failure.key() + "\".");
    }
}
