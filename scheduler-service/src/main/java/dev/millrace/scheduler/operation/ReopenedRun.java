package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.StoredRun;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * A run that has ended and is to go on.
 *
 * @param endedMicros the end that the batch relies on, see {@link StoredRun}
 * @param timeout how long it may take from now on
 * @param limitKey present where it has to wait for its turn
 * @param version where its flow counts on from; greater than any before
 */
record ReopenedRun(RunId run, long endedMicros, long version, Optional<Duration> timeout, Optional<String> limitKey) {}
