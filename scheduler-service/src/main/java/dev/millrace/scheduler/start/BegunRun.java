package dev.millrace.scheduler.start;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;

/**
 * A run that was to be started and begins.
 *
 * @param version of the row that {@code input} was read from
 * @param flowHash the version that it runs; empty where it fails at once because there is none
 * @param input with the defaults of the flow
 * @param timeout how long it may take
 */
record BegunRun(RunId run, long version, String flowHash, Json input, Optional<Duration> timeout) {}
