package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.queue.core.EndStatus;

/** State of a step. */
public enum StepState {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    SKIPPED;

    static StepState ended(EndStatus status) {
        return switch (status) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case CANCELED -> CANCELED;
            case SKIPPED -> SKIPPED;
        };
    }
}
