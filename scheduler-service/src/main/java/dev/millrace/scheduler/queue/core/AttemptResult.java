package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** How one attempt ended, as its worker tells. */
public sealed interface AttemptResult {
    /** It returned a result. */
    record Succeeded(Json result) implements AttemptResult {
        public Succeeded {
            requireNonNull(result, "result");
        }
    }

    /** It failed. */
    record Failed(JobError error) implements AttemptResult {
        public Failed {
            requireNonNull(error, "error");
        }
    }

    /** It never began; the job goes back as it was. */
    record Returned(String reason) implements AttemptResult {
        public Returned {
            requireNonNull(reason, "reason");
        }
    }

    /**
     * Its worker was lost.
     *
     * @param begun whether the job had begun, or may have: only then can it be what ended the worker
     */
    record WorkerLost(String workerName, boolean begun) implements AttemptResult {
        public WorkerLost {
            requireNonNull(workerName, "workerName");
        }
    }
}
