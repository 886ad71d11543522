package dev.millrace.scheduler.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What one rule holds, and how its last sweep went.
 *
 * @param setting key of the setting that sets {@code age}
 * @param rowsEstimate as Postgres estimates it
 * @param bytes with indexes
 * @param oldest from when on the age of the oldest row counts
 * @param swept when the last sweep came to its end, and {@code removedRows} what it removed
 * @param failed when the last sweep failed if none has come to its end since, and {@code error} why
 */
public record RetentionStatus(
        String table,
        String holds,
        Duration age,
        Optional<String> setting,
        long rowsEstimate,
        long bytes,
        Optional<Instant> oldest,
        Optional<Instant> swept,
        long removedRows,
        Optional<Instant> due,
        Optional<Instant> failed,
        String error) {}
