package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.StoredJson;

/** A large result of a step, which stays in the history. */
record StoredResult(ResultReader reader, JobId job, int storedBytes) implements StoredJson {
    /** Thrown if a row that was there when the flow was folded is gone. The flow has to be folded again. */
    static final class Gone extends RuntimeException {
        Gone(JobId job) {
            super("The result of job " + job + " is not in the history any more.");
        }
    }

    @Override
    public String read() {
        return reader.find(job).orElseThrow(() -> new Gone(job));
    }
}
