package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.AttemptDecision.Loss;
import java.sql.SQLException;
import java.util.List;

/**
 * Returns leased jobs to the queue, at once or after a delay. The lease token, which only leased jobs have, fences each
 * of them.
 */
record RequeueJobsStatement(List<RequeuedJob> jobs) implements LaneStatement {
    static final Section<RequeuedJob, RequeueJobsStatement> SECTION =
            new Section<>(FlushOrder.REQUEUE_JOBS, RequeueJobsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with back as (
                select * from $rows(bucket int4, id uuid, token int8, delay_millis int8, attempts int4, losses int4, begun_losses int4) as b
            ), requeued as (
                update job_queue q
                set state = case when b.delay_millis > 0 then {JobState.DELAYED} when q.held then {JobState.HELD} else {JobState.QUEUED} end,
                    run_after = case when b.delay_millis > 0 then now() + b.delay_millis * interval '1 millisecond' end,
                    attempt = q.attempt + b.attempts,
                    losses = q.losses + b.losses,
                    begun_losses = q.begun_losses + b.begun_losses,
                    session_id = null,
                    lease_token = null
                from back b
                where q.bucket = b.bucket and q.id = any (array[b.id]) and q.lease_token = b.token
                returning 1
            )
            select expect_rows('requeue_jobs', ?, (select count(*) from requeued))
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
        binder.jobs(jobs, job -> job.lease().job().id());
        binder.numbers(jobs, job -> job.lease().token().value());
        binder.numbers(jobs, job -> job.requeue().delay().toMillis());
        binder.integers(jobs, job -> job.requeue().newAttempt() ? 1 : 0);
        binder.integers(jobs, job -> job.requeue().loss() == Loss.NONE ? 0 : 1);
        binder.integers(jobs, job -> job.requeue().loss() == Loss.WHILE_BEGUN ? 1 : 0);
        binder.number(jobs.size());
    }
}
