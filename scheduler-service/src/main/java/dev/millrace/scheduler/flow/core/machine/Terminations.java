package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;

/** How a run ends that a step ended early. */
final class Terminations {
    private Terminations() {}

    /**
     * The end of the run.
     *
     * @param value its output where it succeeds, the reason where it does not
     */
    static Outcome outcome(EndStatus status, StepKey step, JsonValue value) {
        return switch (status) {
            case SUCCEEDED -> new Outcome.Succeeded(value.json());
            case SKIPPED -> new Outcome.Skipped(value.json());
            case FAILED -> new Outcome.Failed(error(step, value));
            case CANCELED -> new Outcome.Canceled(error(step, value));
        };
    }

    /** Whether the flow ends well. */
    static boolean isGood(EndStatus status) {
        return switch (status) {
            case SUCCEEDED, SKIPPED -> true;
            case FAILED, CANCELED -> false;
        };
    }

    private static JobError error(StepKey step, JsonValue reason) {
        return JobError.permanent(
                "Terminated",
                switch (reason.kind()) {
                    case NULL -> "Step \"" + step + "\" ended the run.";
                    case STRING -> reason.string();
                    case OBJECT, ARRAY, NUMBER, BOOLEAN -> reason.toString();
                });
    }
}
