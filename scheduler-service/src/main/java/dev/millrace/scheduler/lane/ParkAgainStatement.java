package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/** Puts jobs that this very flush has taken back from workers into the lines for their limits again: they give their places back. */
record ParkAgainStatement(List<QueuedJob> jobs) implements LaneStatement {
    private static final String SQL = """
            with parked as (
                update job_queue q set own_tag = q.tag, tag = q.limit_key, limit_key = null
                from unnest(?::int4[], ?::uuid[]) as p(bucket, id)
                where q.bucket = p.bucket and q.id = p.id
                returning 1
            )
            select expect_rows('park_again', ?, (select count(*) from parked))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.jobs(jobs, QueuedJob::id);
        binder.number(jobs.size());
    }
}
