package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import java.sql.SQLException;
import java.util.List;

/** Marks rows of history that this very flush has written as taken from the cache. */
record MarkCachedStatement(List<JobId> jobs) implements LaneStatement {
    private static final String SQL = """
            with marked as (
                update job_history h set from_cache = true from unnest(?::int4[], ?::uuid[]) as m(bucket, id)
                where h.bucket = m.bucket and h.id = m.id
                returning 1
            )
            select expect_rows('mark_cached', ?, (select count(*) from marked))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.jobs(jobs);
        binder.number(jobs.size());
    }
}
