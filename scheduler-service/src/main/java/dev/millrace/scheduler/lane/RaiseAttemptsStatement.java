package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/** Numbers the attempts of jobs that this very flush has put into the queue for tasks that begin again. */
record RaiseAttemptsStatement(List<QueuedJob> jobs) implements LaneStatement {
    private static final String SQL = """
            with raised as (
                update job_queue q set attempt = r.attempt
                from unnest(?::int4[], ?::uuid[], ?::int4[]) as r(bucket, id, attempt)
                where q.bucket = r.bucket and q.id = r.id
                returning 1
            )
            select expect_rows('raise_attempts', ?, (select count(*) from raised))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.jobs(jobs, QueuedJob::id);
        binder.integers(jobs, QueuedJob::attempt);
        binder.number(jobs.size());
    }
}
