package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/**
 * A run as stored in the database.
 *
 * @param options that were kept with it
 * @param end how it ended, without its result; empty where it has not
 * @param endedMicros when it ended, in microseconds since 1970; tells this end of a run from an earlier one
 */
public record StoredRun(QueuedJob root, Json input, KeptOptions options, Optional<Outcome> end, long endedMicros) {}
