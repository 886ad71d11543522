package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** How an attempt ended, as reported by its worker. */
public sealed interface AttemptResult {
    /** The attempt returned a result. */
    record Succeeded(Json result) implements AttemptResult {
        public Succeeded {
            requireNonNull(result, "result");
        }
    }

    record Failed(JobError error) implements AttemptResult {
        public Failed {
            requireNonNull(error, "error");
        }
    }

    /** The attempt never began, and the job is requeued unchanged. */
    record Returned(String reason) implements AttemptResult {
        public Returned {
            requireNonNull(reason, "reason");
        }
    }

    /**
     * The worker was lost.
     *
     * @param begun whether the job had begun, or may have begun; only then can the job have caused the loss
     */
    record WorkerLost(String workerName, boolean begun) implements AttemptResult {
        public WorkerLost {
            requireNonNull(workerName, "workerName");
        }
    }
}
