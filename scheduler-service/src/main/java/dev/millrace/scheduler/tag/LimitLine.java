package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A line that waits for a limit.
 *
 * @param flow path of the flow; empty for jobs
 * @param max largest number that may run at a time; absent if there is none, or the line does not tell
 * @param rate how many may begin in a period; absent if there is none, or the line does not tell
 * @param waiting at most {@link LimitLineStore#COUNTED_MAX} and one
 * @param running number that the limit has let through, at most {@link LimitLineStore#COUNTED_MAX}
 */
record LimitLine(
        Kind kind,
        String key,
        String flow,
        OptionalInt max,
        Optional<JobLimit.Rate> rate,
        int waiting,
        int running,
        Optional<First> first) {
    /** What waits in a line. */
    enum Kind {
        JOBS,
        RUNS,
        DEBOUNCED
    }

    /** The first in line. */
    record First(String run, Instant createdAt) {}
}
