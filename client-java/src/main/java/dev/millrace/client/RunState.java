package dev.millrace.client;

import java.util.Locale;

/** State of a run. */
public enum RunState {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED;

    /** Whether the run changes no more, unless somebody retries it. */
    public boolean isEnd() {
        return switch (this) {
            case QUEUED, RUNNING -> false;
            case SUCCEEDED, FAILED, CANCELED -> true;
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
