package dev.millrace.worker.internal.jobapi;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.secret.JobSecrets;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import dev.millrace.worker.internal.session.JobErrors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Answer of the scheduler to a request for the secrets of a job. */
public sealed interface SecretsAnswer {
    /** Name of the error of a job whose secrets could not be resolved. */
    String ERROR_NAME = "SecretUnavailable";

    /** The values. */
    record Values(JobSecrets secrets) implements SecretsAnswer {}

    /** The attempt fails with this error. */
    record Refused(JobError error) implements SecretsAnswer {}

    /** Returns the answer that a failed request stands for. */
    static Refused refused(Throwable failure) {
        Throwable cause = failure.getCause() instanceof StatusRuntimeException inner ? inner : failure;
        Status status = Status.fromThrowable(cause);
        String message = status.getDescription() == null ? status.toString() : status.getDescription();
        return switch (status.getCode()) {
            case FAILED_PRECONDITION ->
                new Refused(
                        isUnavailable(cause)
                                ? JobErrors.of(ERROR_NAME, message, false)
                                : JobErrors.of(JobApiAnswer.Failed.LEASE_LOST, message, true));
            case INVALID_ARGUMENT, PERMISSION_DENIED ->
                new Refused(
                        JobErrors.of(ERROR_NAME, "The scheduler refuses the secrets of the job: " + message, false));
            default ->
                new Refused(JobErrors.of(ERROR_NAME, "The secrets of the job could not be resolved: " + message, true));
        };
    }

    /** Returns the error of a job whose secrets are resolved, but cannot be used. */
    static JobError cannotUse(Exception reason) {
        // The message of an unexpected exception might contain a value.
        boolean isExpected = reason instanceof TooManyPatternsException || reason instanceof IllegalArgumentException;
        String why = isExpected
                ? reason.getMessage()
                : "the worker failed with " + reason.getClass().getSimpleName();
        return JobErrors.of(ERROR_NAME, "The secrets of the job cannot be used: " + why + ".", false);
    }

    /** Whether the scheduler says that the value of a secret cannot be used. */
    static boolean isUnavailable(Throwable failure) {
        return ErrorReason.of(failure).equals(ErrorReason.SECRET_UNAVAILABLE);
    }
}
