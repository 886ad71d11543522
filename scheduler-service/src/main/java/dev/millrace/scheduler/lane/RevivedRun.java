package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * A run that has ended and is to go on.
 *
 * @param endedMicros the end that the batch relies on, see {@link StoredRun}
 * @param version where its flow counts on from; greater than any before
 */
record RevivedRun(RunId run, long endedMicros, long version) {}
