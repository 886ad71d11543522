package dev.millrace.scheduler.retention;

import java.time.Duration;

/**
 * Rule for a table that is partitioned by the day inside an id and whose rows belong to no run. Old days are dropped
 * whole.
 *
 * @param since the partition key
 */
public record WholeDays(String table, String holds, Since since, Age age) implements RetentionRule {
    private static final Duration INTERVAL = Duration.ofHours(1);

    @Override
    public Duration interval() {
        return INTERVAL;
    }
}
