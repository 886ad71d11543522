package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Why a job failed, as reported by the code that failed it.
 *
 * @param name type of the error, for example {@code ValueError} or {@code TimedOut}
 * @param message full sentences for a person
 * @param stack frames of the user's own code; empty if there are none
 * @param retryable whether a retry may succeed
 * @param result result of the step that requested the failure; absent for other failures
 */
public record JobError(String name, String message, String stack, boolean retryable, Optional<Json> result) {
    /** Name of the error of an attempt that ended with its worker. */
    static final String WORKER_LOST = "WorkerLost";

    private static final String TIMED_OUT = "TimedOut";

    public JobError {
        requireNonNull(name, "name");
        requireNonNull(message, "message");
        requireNonNull(stack, "stack");
        requireNonNull(result, "result");
    }

    /** Creates an error without a result. */
    public JobError(String name, String message, String stack, boolean retryable) {
        this(name, message, stack, retryable, Optional.empty());
    }

    /** Returns this error with another message. */
    public JobError saying(String otherMessage) {
        return new JobError(name, otherMessage, stack, retryable, result);
    }

    /** Returns whether an attempt exceeded its timeout. */
    public boolean isTimeout() {
        return name.equals(TIMED_OUT);
    }

    /** Creates an error that is not retryable. */
    public static JobError permanent(String name, String message) {
        return new JobError(name, message, "", false);
    }
}
