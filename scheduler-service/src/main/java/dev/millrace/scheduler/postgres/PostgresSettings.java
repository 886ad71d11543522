package dev.millrace.scheduler.postgres;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * What the author of a trigger says. Has a table, a channel, or both.
 *
 * @param connection path of the resource that says how to reach the database
 * @param table absent for a channel alone
 * @param channel absent for a table that is only read at intervals
 * @param interval how often to read the table
 * @param batchMax largest number of rows of a run; absent if each row starts a run
 * @param startsLatest whether the trigger begins behind the rows that are there
 */
record PostgresSettings(
        String connection,
        Optional<Table> table,
        Optional<String> channel,
        Duration interval,
        Optional<Integer> batchMax,
        boolean startsLatest) {
    /** Maximum number of rows of a run. */
    static final int BATCH_MAX = 1_000;

    static final Duration INTERVAL_DEFAULT = Duration.ofSeconds(5);
    static final Duration INTERVAL_MIN = Duration.ofSeconds(1);
    static final Duration INTERVAL_MAX = Duration.ofHours(1);

    /**
     * A table whose rows start runs.
     *
     * @param name as people write it: {@code NAME} or {@code SCHEMA.NAME}, without quotes
     * @param column name of the column with growing integers, without quotes
     */
    record Table(String name, String column) {
        Table {
            requireNonNull(name, "name");
            requireNonNull(column, "column");
        }

        /** The table as an identifier of SQL. Names have no quotes, so nothing can leave it. */
        String sql() {
            return '"' + name.replace(".", "\".\"") + '"';
        }

        /** The column as an identifier of SQL. */
        String columnSql() {
            return '"' + column + '"';
        }
    }

    PostgresSettings {
        requireNonNull(connection, "connection");
        requireNonNull(table, "table");
        requireNonNull(channel, "channel");
        requireNonNull(interval, "interval");
        requireNonNull(batchMax, "batchMax");
    }

    /** Names what the trigger reads, in the position of the trigger and in the names of its occurrences. */
    String source() {
        return table.map(one -> one.name() + "." + one.column()).orElseGet(() -> "channel " + channel.orElse(""))
                + " of " + connection;
    }
}
