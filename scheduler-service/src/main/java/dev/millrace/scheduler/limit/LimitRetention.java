package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Declares how long the begins of jobs are kept. */
public final class LimitRetention {
    /**
     * A begin counts for the time of its rate. There may be many begins in a minute, hence the short interval and large
     * batches.
     */
    public static final RetentionRule BEGINS = OldRows.of(
                    "limited_begin", "Begins of jobs with a rate", Since.time("expires_at"), Age.fixed(Duration.ZERO))
            .every(Duration.ofMinutes(1))
            .inBatchesOf(10_000);

    public static final List<TableRetention> TABLES = List.of(BEGINS);

    private LimitRetention() {}
}
