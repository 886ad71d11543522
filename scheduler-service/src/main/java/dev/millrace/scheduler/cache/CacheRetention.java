package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** Retention of cached results. */
public final class CacheRetention {
    /** Each result has its own expiry time. */
    public static final RetentionRule RESULTS = OldRows.of(
                    "result_cache", "Cached results", Since.time("expires_at"), Age.fixed(Duration.ZERO))
            .inBatchesOf(10_000);

    /**
     * The result of a step or run is still cached after a retry, up to one day later. So long do marks of runs stay,
     * too.
     */
    public static final RetentionRule CALLS = OldRows.of(
                    "result_cache_call",
                    "Steps whose results are to be cached",
                    Since.time("created_at"),
                    Age.fixed(Duration.ofDays(1)))
            .where(
                    "not exists (select from job_queue q where q.run_id = t.run_id and (q.step_key = t.step_key or t.step_key = '"
                            + UncachedRunStore.MARK + "') offset 0)")
            .inBatchesOf(10_000);

    public static final List<TableRetention> TABLES = List.of(RESULTS, CALLS);

    private CacheRetention() {}
}
