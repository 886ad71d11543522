package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Optional;

/**
 * A run as the database has it.
 *
 * @param env the environment that it was given
 * @param end how it ended, without its result; empty where it has not
 * @param endedMicros when it ended, in microseconds since 1970; tells this end of a run from an earlier one
 */
public record StoredRun(QueuedJob root, Json input, Optional<Json> env, Optional<Outcome> end, long endedMicros) {}
