package dev.millrace.scheduler.retention;

import java.time.Duration;

/**
 * Rule for a table with a {@code run_id} that is partitioned by the day inside an id, whose old days are dropped.
 *
 * <p>Rows of runs that have not ended, are pinned, or ended later move to the default partition first. They are deleted
 * from there once they are old.
 *
 * @param since the partition key
 * @param condition SQL condition on a row {@code t}: whether the row may be deleted while other rows of its run remain
 */
public record OldDays(String table, String holds, Since since, Age age, String condition) implements RetentionRule {
    private static final Duration INTERVAL = Duration.ofHours(1);

    @Override
    public Duration interval() {
        return INTERVAL;
    }
}
