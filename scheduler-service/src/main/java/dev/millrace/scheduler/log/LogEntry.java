package dev.millrace.scheduler.log;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.nio.charset.StandardCharsets;

/**
 * A chunk of a log to be stored. Storing the same job, attempt, stream and sequence again changes nothing.
 *
 * @param stepKey key of the job's step in its flow; empty for the root
 * @param sequence position within the attempt, from 0
 * @param text characters that Postgres cannot hold are replaced
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

    /** Length of the text in UTF-8. */
    public int textBytes() {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Estimate of the memory and network traffic that the entry takes. */
    int sizeBytes() {
        return ENTRY_BYTES + text.length();
    }

    private static final int ENTRY_BYTES = 100;
}
