package dev.millrace.client;

import dev.millrace.proto.common.v1.JobError;

/**
 * Why a run or a step failed.
 *
 * @param name type of the error, for example {@code ValueError} or {@code TimedOut}
 * @param message full sentences
 * @param stack stack of user code; may be empty
 * @param isRetryable whether another attempt may help
 */
public record RunError(String name, String message, String stack, boolean isRetryable) {
    static RunError of(JobError message) {
        return new RunError(message.getName(), message.getMessage(), message.getStack(), message.getRetryable());
    }
}
