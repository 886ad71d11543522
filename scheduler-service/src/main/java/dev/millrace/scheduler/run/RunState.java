package dev.millrace.scheduler.run;

import dev.millrace.scheduler.queue.core.EndStatus;

/** State of a run. */
public enum RunState {
    /** No job of the run has been leased yet. */
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED;

    public boolean isEnd() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELED -> true;
        };
    }

    public static RunState ended(EndStatus status) {
        return switch (status) {
            case SUCCEEDED, SKIPPED -> SUCCEEDED;
            case FAILED -> FAILED;
            case CANCELED -> CANCELED;
        };
    }
}
