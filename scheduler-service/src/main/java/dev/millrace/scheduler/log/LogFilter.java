package dev.millrace.scheduler.log;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which chunks of a run's log a reader wants.
 *
 * @param job only this job; absent for all
 * @param step only this step and those inside it; empty for all
 * @param streams only these streams
 */
record LogFilter(Optional<JobId> job, String step, Set<LogStream> streams) {
    static final LogFilter ALL = new LogFilter(Optional.empty(), "", EnumSet.allOf(LogStream.class));

    LogFilter {
        requireNonNull(job, "job");
        requireNonNull(step, "step");
        streams = Set.copyOf(streams);
    }

    boolean isAll() {
        return equals(ALL);
    }
}
