package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobId;
import java.sql.SQLException;
import java.util.List;

/** Marks history rows of the same flush as taken from the cache. */
record MarkCachedStatement(List<JobId> jobs) implements LaneStatement {
    static final Section<JobId, MarkCachedStatement> SECTION =
            new Section<>(FlushOrder.MARK_CACHED, MarkCachedStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with marked as (
                update job_history h set from_cache = true from $rows(bucket int4, id uuid) as m
                where h.bucket = m.bucket and h.id = any (array[m.id])
                returning 1
            )
            select expect_rows('mark_cached', ?, (select count(*) from marked))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return jobs.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.jobs(jobs);
        binder.number(jobs.size());
    }
}
