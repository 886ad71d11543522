package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Moves leased jobs into the history. The lease token, which only leased jobs have, fences each of them. */
record FinishJobsStatement(List<FinishedJob> jobs) implements LaneStatement {
    static final Section<FinishedJob, FinishJobsStatement> SECTION =
            new Section<>(FlushOrder.FINISH_JOBS, FinishJobsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(
                    bucket int4, id uuid, token int8, run_micros int8, worker_name text, status int4, result text, error_name text,
                    error_message text, error_stack text) as e
            ), gone as (
                delete from job_queue q using ended e
                where q.bucket = e.bucket and q.id = any (array[e.id]) and q.lease_token = e.token
                returning q.*, e.run_micros, e.worker_name, e.status, e.result, e.error_name, e.error_message, e.error_stack
            ), recorded as ("""
            + HistorySql.insert(
                    "gone",
                    "status",
                    "session_id",
                    "worker_name",
                    "lease_token",
                    "result = result::json",
                    "error_name",
                    "error_message",
                    "error_stack",
                    "started_at = case when run_micros >= 0 then greatest(created_at, now() - run_micros * interval '1 microsecond') end",
                    "priority = case when id = run_id then priority end",
                    "timeout_millis = case when id = run_id then timeout_millis end",
                    "retry = case when id = run_id then retry end")
            + """
                returning 1
            )
            select expect_rows('finish_jobs', ?, (select count(*) from recorded))
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
        binder.numbers(jobs, FinishedJob::runMicros);
        binder.texts(jobs, FinishedJob::workerName);
        OutcomeColumns.bind(binder, jobs, FinishedJob::outcome);
        binder.number(jobs.size());
    }
}
