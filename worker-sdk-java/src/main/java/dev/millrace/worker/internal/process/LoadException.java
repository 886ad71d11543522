package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.session.JobErrors;

/** A script cannot be brought to run here; the message is for the author of the job. */
final class LoadException extends RuntimeException {
    private final boolean retryable;

    LoadException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    JobError toJobError() {
        return JobErrors.of("LoadError", String.valueOf(getMessage()), retryable);
    }
}
