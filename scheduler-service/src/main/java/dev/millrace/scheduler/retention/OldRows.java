package dev.millrace.scheduler.retention;

import java.time.Duration;

/**
 * Rows that are deleted one by one. A rule is put together as {@code OldRows.of(…).where(…).every(…)}.
 *
 * @param condition what must hold besides for the row {@code t} to go, as SQL
 * @param alongside a common table expression that changes something else with the rows of {@code gone}; empty for none
 * @param batchMax most rows that one transaction removes
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

    /** Rows that go once they are this old. */
    public static OldRows of(String table, String holds, Since since, Age age) {
        return new OldRows(table, holds, since, age, "true", "", INTERVAL_DEFAULT, BATCH_DEFAULT);
    }

    /** Rows with a {@code run_id} that go when the run is gone from the history. */
    public static OldRows withRuns(String table, String holds) {
        return of(table, holds, Since.id("run_id"), Age.HISTORY).where(Runs.isGone("t.run_id"));
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

    /** Removes the oldest rows. Its parameters are the cutoff and the most rows. */
    String removal() {
        return removal(table, since, condition, alongside);
    }

    /** Rows that someone else has locked are left for the next sweep. */
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
