package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.RetryColumn;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.SchedulerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Inserts jobs, which may be waiting, delayed, held, leased to sessions that {@code holder} holds, or roots of flows.
 */
record EnqueueJobsStatement(SchedulerId holder, List<EnqueuedJob> jobs) implements LaneStatement {
    static final Section<EnqueuedJob, EnqueueJobsStatement> SECTION =
            Section.ofScheduler(FlushOrder.ENQUEUE_JOBS, EnqueueJobsStatement::new);

    private static final RowsSql SQL =
            new RowsSql("""
            with added as (
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, folder, step_key, tag, priority, order_key,
                    state, held, run_after, session_id, lease_token, version, timeout_millis, retry, input, traceparent, $admissionQueue)
                select bucket, id, run_id, workspace, kind, target, name, folder, step_key, tag, priority, order_key,
                    state, held = 1, now() + delay_millis * interval '1 millisecond', session_id, lease_token, version, timeout_millis,
                    retry::json, input::json, traceparent, admission_queue
                from $rows(
                    bucket int4, id uuid, run_id uuid, workspace text, kind int4, target text, name text, folder text, step_key text, tag text,
                    priority int4, order_key int8, state int4, held int4, delay_millis int8, session_id uuid, lease_token int8,
                    version int8, timeout_millis int8, retry text, input text, traceparent text, admission_queue text) as j
                returning session_id
            )
            select expect_rows('enqueue_jobs', ?, (select count(*) from added)),
            """.replace("$admissionQueue", JobColumns.ADMISSION_QUEUE) + HeldSessionsSql.check("added"));

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
        binder.jobs(jobs, job -> job.job().id());
        binder.uuids(jobs, job -> job.job().run().value());
        binder.texts(jobs, job -> job.job().workspace().name());
        binder.integers(jobs, job -> job.job().kind().code());
        binder.texts(jobs, job -> job.job().target());
        binder.texts(jobs, job -> job.job().name());
        binder.texts(jobs, job -> job.job().isRoot() ? "" : job.job().folder());
        binder.texts(jobs, job -> job.job().stepKey());
        binder.texts(jobs, job -> job.job().options().tag());
        binder.integers(jobs, job -> job.job().options().priority());
        binder.numbers(jobs, job -> job.job().orderKey());
        binder.integers(jobs, job -> job.state().code());
        binder.integers(jobs, job -> job.held() ? 1 : 0);
        binder.optionalNumbers(jobs, job -> job.delay().map(Duration::toMillis).orElse(null));
        binder.uuids(
                jobs,
                job -> job.lease().map(lease -> lease.slot().session().value()).orElse(null));
        binder.optionalNumbers(
                jobs, job -> job.lease().map(lease -> lease.token().value()).orElse(null));
        binder.numbers(jobs, job -> job.flowVersion().orElse(0L));
        binder.numbers(jobs, job -> job.job().options().timeout().toMillis());
        binder.texts(jobs, job -> RetryColumn.write(retryOf(job)));
        binder.texts(jobs, job -> job.input().text());
        binder.texts(jobs, job -> job.job().traceparent());
        binder.texts(jobs, job -> job.admissionQueue().orElse(null));
        binder.number(jobs.size());
        binder.uuid(holder.value());
    }

    private static RetryPolicy retryOf(EnqueuedJob job) {
        return job.job().options().retry();
    }
}
