package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * Why a job failed, in the words of whoever failed it.
 *
 * @param name type of the error, for example {@code ValueError} or {@code TimedOut}
 * @param message full sentences for a person
 * @param stack the user's own frames; empty where there are none
 * @param retryable whether trying again may help
 */
public record JobError(String name, String message, String stack, boolean retryable) {
    private static final String TIMED_OUT = "TimedOut";

    public JobError {
        requireNonNull(name, "name");
        requireNonNull(message, "message");
        requireNonNull(stack, "stack");
    }

    /** Whether an attempt took longer than its timeout. */
    public boolean isTimeout() {
        return name.equals(TIMED_OUT);
    }

    /** An error that no retry can mend. */
    public static JobError permanent(String name, String message) {
        return new JobError(name, message, "", false);
    }
}
