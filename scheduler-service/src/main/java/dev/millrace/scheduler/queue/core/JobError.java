package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Why a job failed, in the words of whoever failed it.
 *
 * @param name type of the error, for example {@code ValueError} or {@code TimedOut}
 * @param message full sentences for a person
 * @param stack the user's own frames; empty where there are none
 * @param retryable whether trying again may help
 * @param result what the step resulted in that asked for the failure; absent for others
 */
public record JobError(String name, String message, String stack, boolean retryable, Optional<Json> result) {
    private static final String TIMED_OUT = "TimedOut";

    public JobError {
        requireNonNull(name, "name");
        requireNonNull(message, "message");
        requireNonNull(stack, "stack");
        requireNonNull(result, "result");
    }

    /** One that comes with no result. */
    public JobError(String name, String message, String stack, boolean retryable) {
        this(name, message, stack, retryable, Optional.empty());
    }

    /** The same in other words. */
    public JobError saying(String otherMessage) {
        return new JobError(name, otherMessage, stack, retryable, result);
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
