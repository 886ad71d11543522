package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Takes single live steps out of the queue: as cancelled into the history, or without a trace. Tells which of them workers hold. */
final class WithdrawStepsStatement implements LaneStatement {
    private static final String SQL = """
            with withdrawn as (
                select * from unnest(?::int4[], ?::uuid[], ?::text[], ?::text[], ?::text[])
                    as w(bucket, run_id, step_key, error_name, error_message)
            ), gone as (
                delete from job_queue q using withdrawn w
                where q.bucket = w.bucket and q.run_id = w.run_id and q.step_key = w.step_key and q.id <> q.run_id
                returning q.*, w.error_name, w.error_message
            ), recorded as (
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                    session_id, lease_token, input, error_name, error_message, error_stack, traceparent, created_at, ended_at)
                select bucket, id, run_id, workspace, kind, target, name, step_key, coalesce(own_tag, tag), 3, attempt,
                    session_id, lease_token, input, error_name, error_message, '', traceparent, created_at, now()
                from gone where error_name is not null
            )
            select expect_rows('withdraw_steps', ?, (select count(*) from gone)), id, session_id, lease_token, error_message, coalesce(limit_key, tag) as limit_tag from gone
            union all
            select expect_rows('withdraw_steps', ?, (select count(*) from gone)), null, null, null, null, null
            """;

    private final List<WithdrawnStep> steps;
    private final EndedLeases ended = new EndedLeases();

    WithdrawStepsStatement(List<WithdrawnStep> steps) {
        this.steps = steps;
    }

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.integers(steps, step -> step.run().bucket().value());
        binder.uuids(steps, step -> step.run().value());
        binder.texts(steps, WithdrawnStep::stepKey);
        binder.texts(steps, step -> step.reason().map(JobError::name).orElse(null));
        binder.texts(steps, step -> step.reason().map(JobError::message).orElse(null));
        binder.number(steps.size());
        binder.number(steps.size());
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            ended.add(rows, "error_message");
        }
    }

    EndedLeases ended() {
        return ended;
    }
}
