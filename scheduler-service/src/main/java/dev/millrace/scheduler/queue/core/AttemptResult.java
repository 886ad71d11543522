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

    /** Its worker was lost. */
    record WorkerLost(String workerName) implements AttemptResult {
        public WorkerLost {
            requireNonNull(workerName, "workerName");
        }
    }
}
