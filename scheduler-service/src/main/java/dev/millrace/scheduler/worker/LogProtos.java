package dev.millrace.scheduler.worker;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.scheduler.log.LogEntry;
import dev.millrace.scheduler.log.LogStream;
import dev.millrace.scheduler.queue.core.LeaseKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts log chunks from workers. */
final class LogProtos {
    private LogProtos() {}

    /**
     * Converts the chunks whose leases have an origin. Drops the others, just as results under those leases would be
     * rejected.
     */
    static List<LogEntry> entries(List<WorkerLog> chunks, Map<LeaseKey, LogOrigins.Origin> origins) {
        List<LogEntry> entries = new ArrayList<>(chunks.size());
        for (WorkerLog chunk : chunks) {
            LeaseKey lease = LogOrigins.leaseOf(chunk);
            Optional.ofNullable(origins.get(lease))
                    .ifPresent(origin -> entries.add(new LogEntry(
                            origin.run(),
                            lease.job(),
                            origin.stepKey(),
                            origin.attempt(),
                            stream(chunk.getStream()),
                            chunk.getSequence(),
                            chunk.getText())));
        }
        return entries;
    }

    private static LogStream stream(LogChunk.Stream stream) {
        return switch (stream) {
            case STREAM_STDERR -> LogStream.STDERR;
            case STREAM_SYSTEM -> LogStream.SYSTEM;
            case STREAM_TRACE -> LogStream.TRACE;
            case STREAM_STDOUT, STREAM_UNSPECIFIED, UNRECOGNIZED -> LogStream.STDOUT;
        };
    }
}
