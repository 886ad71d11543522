package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.session.JobErrors;

/** Failure to make a script ready to run here; the message is for the author of the job. */
class LoadException extends RuntimeException {
    private final boolean retryable;

    LoadException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    /** The scheduler sent something else than the version that a job asks for. */
    static LoadException ofOtherHash(String sent, ScriptKey key) {
        return new LoadException(
                "The scheduler sent a script of hash " + sent + " for the version " + key.hash()
                        + ": scheduler and worker are incompatible. Update the older one.",
                true);
    }

    JobException toJobException() {
        return new JobException("LoadError", String.valueOf(getMessage()), retryable);
    }

    JobError toJobError() {
        return JobErrors.of("LoadError", String.valueOf(getMessage()), retryable);
    }

    /** The script could not be fetched, although it may be fine: its job has not begun and returns to the queue. */
    static final class Unavailable extends LoadException {
        Unavailable(String message) {
            super(message, true);
        }
    }
}
