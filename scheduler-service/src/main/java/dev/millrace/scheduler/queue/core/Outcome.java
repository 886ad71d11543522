package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** How a job or step ended for good. */
public sealed interface Outcome {
    /** Ended with a result. */
    record Succeeded(Json result) implements Outcome {
        public Succeeded {
            requireNonNull(result, "result");
        }
    }

    /** Ended with an error after its last attempt. */
    record Failed(JobError error) implements Outcome {
        public Failed {
            requireNonNull(error, "error");
        }
    }

    /** Ended because its run was canceled, or because the run ended without it. */
    record Canceled(JobError reason) implements Outcome {
        public Canceled {
            requireNonNull(reason, "reason");
        }
    }

    /** Was not run, because of a condition; passes this result on. */
    record Skipped(Json result) implements Outcome {
        public Skipped {
            requireNonNull(result, "result");
        }
    }
}
