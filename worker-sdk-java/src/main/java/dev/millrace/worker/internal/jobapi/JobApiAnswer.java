package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

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

        public Failed {
            requireNonNull(name, "name");
            requireNonNull(message, "message");
        }
    }
}
