package dev.millrace.worker.internal.step;

import static java.util.Objects.requireNonNull;

/** What became of a call of user code. */
public sealed interface StepAnswer {
    /** It went well. {@code json} is what it results in. */
    record Value(String json) implements StepAnswer {
        public Value {
            requireNonNull(json, "json");
        }
    }

    /** It failed; {@code message} is a full sentence. */
    record Failed(String name, String message) implements StepAnswer {
        /** The job is no longer this worker's. */
        public static final String LEASE_LOST = "LeaseLost";
        /** The call itself is wrong. */
        public static final String INVALID_CALL = "InvalidCall";
        /** The scheduler was away for too long, or failed. */
        public static final String SCHEDULER_UNAVAILABLE = "SchedulerUnavailable";

        public Failed {
            requireNonNull(name, "name");
            requireNonNull(message, "message");
        }
    }
}
