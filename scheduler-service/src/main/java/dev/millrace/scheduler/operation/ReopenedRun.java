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
 */
record ReopenedRun(RunId run, long endedMicros, long version, Optional<Duration> timeout, Optional<String> limitKey)
        implements RunRowsStatement.RunRow {}
