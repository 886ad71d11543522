package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.RunRowsStatement;
import dev.millrace.scheduler.lane.StoredRun;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * An ended run that a retry returns to the queue.
 *
 * @param endedMicros time of the end that the retry was planned for, see {@link StoredRun}
 * @param version version from which the flow continues; greater than any before
 * @param timeout time limit, counted from the retry
 * @param limitKey key of the limit for which the run has to wait; absent if there is none
 * @param isPending whether the run waits to begin, as its next decision evaluates expressions
 */
record ReopenedRun(
        RunId run,
        long endedMicros,
        long version,
        Optional<Duration> timeout,
        Optional<String> limitKey,
        boolean isPending)
        implements RunRowsStatement.RunRow {
    /** A run whose flow is not asked before it continues. */
    static ReopenedRun asItWas(RunId run, long endedMicros, long version) {
        return new ReopenedRun(run, endedMicros, version, Optional.empty(), Optional.empty(), false);
    }
}
