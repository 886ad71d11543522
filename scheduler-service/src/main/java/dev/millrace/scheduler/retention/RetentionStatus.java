package dev.millrace.scheduler.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Contents of one rule's table, and the outcome of its last sweep.
 *
 * @param setting key of the setting for {@code age}
 * @param rowsEstimate estimate by Postgres
 * @param bytes size including indexes
 * @param oldest time from which the age of the oldest row counts
 * @param swept when the last complete sweep ended; {@code removedRows} is the number of rows it removed
 * @param failed when the last sweep failed, if no sweep has completed since; {@code error} is the reason
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
