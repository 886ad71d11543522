package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/**
 * A run as stored in the database.
 *
 * @param options options that are stored with the run
 * @param end how the run ended, without its result; empty if it has not
 * @param endedMicros when the run ended, in microseconds since 1970; tells this end from earlier ends of the run
 */
public record StoredRun(QueuedJob root, Json input, KeptOptions options, Optional<Outcome> end, long endedMicros) {}
