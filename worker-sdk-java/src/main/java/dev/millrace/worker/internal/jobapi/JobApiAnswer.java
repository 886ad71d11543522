package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Result of a call of user code. */
public sealed interface JobApiAnswer {
    /** Success, with the result as JSON. */
    record Value(String json) implements JobApiAnswer {
        public Value {
            requireNonNull(json, "json");
        }
    }

    /** Failure; {@code message} is a full sentence. */
    record Failed(String name, String message) implements JobApiAnswer {
        /** The worker does not hold the job's lease any more. */
        public static final String LEASE_LOST = "LeaseLost";
        /** The call itself is invalid. */
        public static final String INVALID_CALL = "InvalidCall";
        /** The scheduler failed, or was unavailable for too long. */
        public static final String SCHEDULER_UNAVAILABLE = "SchedulerUnavailable";
        /** The file of a blob cannot be read or written. */
        public static final String FILE_FAILED = "FileFailed";

        /** Whoever started the run may not do this. */
        public static final String NOT_ALLOWED = "NotAllowed";

        /** The state of what the call is about does not allow it. */
        public static final String STATE_UNSUITABLE = "StateUnsuitable";

        /** The workspace or the caller has used up what it may. */
        public static final String QUOTA_EXCEEDED = "QuotaExceeded";

        public Failed {
            requireNonNull(name, "name");
            requireNonNull(message, "message");
        }

        /** The failure that a call of the scheduler ended with. */
        static Failed of(Throwable failure) {
            Throwable cause = failure.getCause() instanceof StatusRuntimeException inner ? inner : failure;
            Status status = Status.fromThrowable(cause);
            String message = status.getDescription() == null ? status.toString() : status.getDescription();
            if (ErrorReason.of(cause).equals(ErrorReason.QUOTA_EXCEEDED)) {
                return new Failed(QUOTA_EXCEEDED, message);
            }
            return switch (status.getCode()) {
                case FAILED_PRECONDITION -> new Failed(unsuitable(ErrorReason.of(cause)), message);
                case PERMISSION_DENIED -> new Failed(NOT_ALLOWED, message);
                case INVALID_ARGUMENT, NOT_FOUND -> new Failed(INVALID_CALL, message);
                default ->
                    new Failed(
                            SCHEDULER_UNAVAILABLE,
                            "The scheduler could not perform the call of the script: " + message);
            };
        }

        private static String unsuitable(String reason) {
            return switch (reason) {
                case ErrorReason.SECRET_UNAVAILABLE -> SecretsAnswer.ERROR_NAME;
                // Schedulers of earlier versions give no reason.
                case ErrorReason.LEASE_LOST, "" -> LEASE_LOST;
                default -> STATE_UNSUITABLE;
            };
        }
    }
}
