package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs of the ticks of a range.
 *
 * @param parallelMax most runs in progress at a time
 * @param total number of ticks in the range
 * @param started number of ticks whose runs were started
 * @param endedAt when its last run had ended; absent before
 */
record Backfill(
        UUID id,
        Instant from,
        Instant to,
        int parallelMax,
        int total,
        int started,
        String actor,
        Instant createdAt,
        Optional<Instant> endedAt) {
    Backfill {
        requireNonNull(id, "id");
        requireNonNull(from, "from");
        requireNonNull(to, "to");
        requireNonNull(actor, "actor");
        requireNonNull(createdAt, "createdAt");
        requireNonNull(endedAt, "endedAt");
    }
}
