package dev.millrace.scheduler.log;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A stored chunk of a log.
 *
 * @param position order of arrival among all chunks
 */
public record LogChunk(LogEntry entry, long position, Instant time) {
    public LogChunk {
        requireNonNull(entry, "entry");
        requireNonNull(time, "time");
    }
}
