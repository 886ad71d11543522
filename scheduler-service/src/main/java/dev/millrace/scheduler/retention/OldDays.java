package dev.millrace.scheduler.retention;

import java.time.Duration;

/**
 * Rows of runs in a table that is partitioned by the days inside its ids. Days that are old are dropped; what they hold of runs that go on, or ended
 * later, moves to the default partition and is deleted from there when its time has come.
 *
 * @param since the id that the table is partitioned by
 * @param condition what must hold for a row {@code t} to be deleted before others of its run, as SQL
 */
public record OldDays(String table, String holds, Since since, Age age, String condition) implements RetentionRule {
    private static final Duration INTERVAL = Duration.ofHours(1);

    @Override
    public Duration interval() {
        return INTERVAL;
    }
}
