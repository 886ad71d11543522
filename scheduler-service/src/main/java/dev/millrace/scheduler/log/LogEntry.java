package dev.millrace.scheduler.log;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A piece of log to be stored. The same job, attempt, stream and sequence again changes nothing.
 *
 * @param stepKey place of the job in its flow; empty for the root
 * @param sequence position within the attempt, from 0
 * @param text stored with what Postgres cannot hold replaced
 */
public record LogEntry(
        RunId run, JobId job, String stepKey, int attempt, LogStream stream, long sequence, String text) {
    public LogEntry {
        requireNonNull(run, "run");
        requireNonNull(job, "job");
        requireNonNull(stepKey, "stepKey");
        requireNonNull(stream, "stream");
        text = StorableText.of(text);
    }

    /** About how much memory and network this takes. */
    int sizeBytes() {
        return ENTRY_BYTES + text.length();
    }

    private static final int ENTRY_BYTES = 100;
}
