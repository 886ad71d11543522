package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** The final outcome of a job or step. */
public sealed interface Outcome {
    /** Succeeded with a result. */
    record Succeeded(Json result) implements Outcome {
        public Succeeded {
            requireNonNull(result, "result");
        }
    }

    /** Failed, and is not retried. */
    record Failed(JobError error) implements Outcome {
        public Failed {
            requireNonNull(error, "error");
        }
    }

    /** Was canceled with its run, or because the run ended before it. */
    record Canceled(JobError reason) implements Outcome {
        public Canceled {
            requireNonNull(reason, "reason");
        }
    }

    /** Was skipped because of a condition, with this result. */
    record Skipped(Json result) implements Outcome {
        public Skipped {
            requireNonNull(result, "result");
        }
    }
}
