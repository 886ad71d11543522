package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/** Sets the attempt numbers of jobs that this flush has enqueued for tasks that begin again. */
record RaiseAttemptsStatement(List<QueuedJob> jobs) implements JobsStatement {
    static final Section<QueuedJob, RaiseAttemptsStatement> SECTION =
            new Section<>(FlushOrder.RAISE_ATTEMPTS, RaiseAttemptsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with raised as (
                update job_queue q set attempt = r.attempt
                from $rows(bucket int4, id uuid, attempt int4) as r
                where q.bucket = r.bucket and q.id = any (array[r.id])
                returning 1
            )
            select expect_rows('raise_attempts', ?, (select count(*) from raised))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        JobsStatement.super.bind(binder);
        binder.integers(jobs, QueuedJob::attempt);
        binder.number(jobs.size());
    }
}
