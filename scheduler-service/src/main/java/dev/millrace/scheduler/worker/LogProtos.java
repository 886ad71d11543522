package dev.millrace.scheduler.worker;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.scheduler.log.LogEntry;
import dev.millrace.scheduler.log.LogStream;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the log chunks of a worker. */
final class LogProtos {
    private LogProtos() {}

    /** The chunks of leases that are still held; those of others are passed over, as their results would be. */
    static List<LogEntry> entries(WorkerLogs batch, Leases leases) {
        List<LogEntry> entries = new ArrayList<>(batch.getLogsCount());
        for (WorkerLog chunk : batch.getLogsList()) {
            Optional<LeasedJob> lease = leases.find(JobId.parse(chunk.getJobId()))
                    .filter(held -> held.token().equals(new LeaseToken(chunk.getLeaseToken())));
            lease.map(LeasedJob::job)
                    .ifPresent(job -> entries.add(new LogEntry(
                            job.run(),
                            job.id(),
                            job.stepKey(),
                            job.attempt(),
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
