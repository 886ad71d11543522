package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.StoredJson;

/** The result of a step that stays in the history. */
record StoredResult(ResultReader reader, JobId job, int storedBytes) implements StoredJson {
    /** The row was there when the flow was folded and is not any more: the flow is to be folded anew. */
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
