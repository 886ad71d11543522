package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.log.LogEntry;
import dev.millrace.scheduler.log.LogStream;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Drops what jobs print beyond the quota of their workspace, and says so once in the log of each such job. Jobs whose
 * leases are not in memory lose nothing.
 */
final class LogRoom {
    private static final int JOBS_TOLD_MAX = 10_000;

    private final LogWriter logs;
    private final Leases leases;
    private final BoundedCache<JobId, Integer> told = new BoundedCache<>(JOBS_TOLD_MAX);

    LogRoom(LogWriter logs, Leases leases) {
        this.logs = logs;
        this.leases = leases;
    }

    /** The entries for which there is room. */
    List<LogEntry> admitted(List<LogEntry> entries) {
        List<LogEntry> admitted = new ArrayList<>(entries.size());
        for (LogEntry entry : entries) {
            Optional<Workspace> workspace =
                    leases.find(entry.job()).map(LeasedJob::job).map(job -> job.workspace());
            if (!isPrinted(entry)
                    || workspace
                            .filter(owner -> !logs.admits(owner, entry.textBytes()))
                            .isEmpty()) {
                admitted.add(entry);
            } else {
                tell(entry);
            }
        }
        return admitted;
    }

    private void tell(LogEntry dropped) {
        if (told.find(dropped.job())
                .filter(attempt -> attempt == dropped.attempt())
                .isEmpty()) {
            told.put(dropped.job(), dropped.attempt());
            logs.system(
                    dropped.run(),
                    dropped.job(),
                    dropped.stepKey(),
                    dropped.attempt(),
                    "Output is missing from here on: the workspace prints more than its quota log_bytes_per_second_max"
                            + " allows.");
        }
    }

    private static boolean isPrinted(LogEntry entry) {
        return entry.stream() == LogStream.STDOUT || entry.stream() == LogStream.STDERR;
    }
}
