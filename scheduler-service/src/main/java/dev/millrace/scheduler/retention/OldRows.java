package dev.millrace.scheduler.retention;

import java.time.Duration;

/**
 * Rule for a table whose rows are deleted in batches. Built as {@code OldRows.of(…).where(…).every(…)}.
 *
 * @param condition SQL condition on a row {@code t} that must hold besides its age; {@code true} for none
 * @param alongside SQL of a common table expression that reads the deleted rows from {@code gone}; empty for none
 * @param batchMax maximum number of rows that one transaction deletes
 */
public record OldRows(
        String table,
        String holds,
        Since since,
        Age age,
        String condition,
        String alongside,
        Duration interval,
        int batchMax)
        implements RetentionRule {
    private static final Duration INTERVAL_DEFAULT = Duration.ofHours(1);
    private static final int BATCH_DEFAULT = 1_000;

    /** Deletes rows once they are this old. */
    public static OldRows of(String table, String holds, Since since, Age age) {
        return new OldRows(table, holds, since, age, "true", "", INTERVAL_DEFAULT, BATCH_DEFAULT);
    }

    /** Deletes rows with a {@code run_id} once neither the queue nor the history has the run. */
    public static OldRows withRuns(String table, String holds) {
        return of(table, holds, Since.id("run_id"), Age.HISTORY).where(RunConditions.isGone("t.run_id"));
    }

    public OldRows where(String value) {
        return new OldRows(table, holds, since, age, value, alongside, interval, batchMax);
    }

    public OldRows alongside(String value) {
        return new OldRows(table, holds, since, age, condition, value, interval, batchMax);
    }

    public OldRows every(Duration value) {
        return new OldRows(table, holds, since, age, condition, alongside, value, batchMax);
    }

    public OldRows inBatchesOf(int value) {
        return new OldRows(table, holds, since, age, condition, alongside, interval, value);
    }

    /** The statement that deletes one batch, oldest first, and returns the number of rows. Parameters: cutoff, most rows. */
    String removal() {
        return removal(table, since, condition, alongside);
    }

    /** The statement for another table. It leaves locked rows to the next sweep. */
    static String removal(String table, Since since, String condition, String alongside) {
        return """
                with gone as (
                    delete from %1$s where ctid = any (array(
                        select t.ctid from %1$s t where t.%2$s < ?::%5$s and %3$s order by t.%2$s limit ? for update skip locked))
                    returning *
                )%4$s
                select count(*) from gone
                """.formatted(
                        table,
                        since.column(),
                        condition,
                        alongside.isEmpty() ? "" : ", alongside as (" + alongside + ")",
                        since.type());
    }
}
