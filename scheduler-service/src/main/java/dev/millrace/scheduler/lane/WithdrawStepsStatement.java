package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Removes single live steps from the queue, either into the history as canceled or without a trace. Jobs that the same
 * transaction enqueues under the same key stay.
 *
 * @param ended collects the leases that workers hold on the steps
 */
public record WithdrawStepsStatement(List<WithdrawnStep> steps, EndedLeases ended)
        implements StepsStatement<WithdrawnStep> {
    public static final Section<WithdrawnStep, WithdrawStepsStatement> SECTION =
            new Section<>(FlushOrder.WITHDRAW_STEPS, steps -> new WithdrawStepsStatement(steps, new EndedLeases()));

    private static final RowsSql SQL = new RowsSql("""
            with withdrawn as (
                select * from $rows(
                    bucket int4, run_id uuid, step_key text, error_name text, error_message text, begun_here uuid) as w
            ), gone as (
                delete from job_queue q using withdrawn w
                where q.bucket = w.bucket and q.run_id = any (array[w.run_id]) and q.step_key = w.step_key and q.id <> q.run_id
                  and case when w.begun_here is null then q.id <> all (?::uuid[]) else q.id = w.begun_here end
                returning q.*, w.error_name, w.error_message
            ), recorded as ("""
            + HistorySql.insert(
                    "gone where error_name is not null",
                    "status = {EndStatus.CANCELED}",
                    "session_id",
                    "lease_token",
                    "error_name",
                    "error_message",
                    "error_stack = ''")
            + """
            )
            select expect_rows('withdraw_steps', ?, (select count(*) from gone)), error_message,"""
            + " " + EndedLeases.COLUMNS + " from (values (1)) as one left join gone on true");

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        StepsStatement.super.bind(binder);
        binder.texts(steps, step -> step.reason().map(JobError::name).orElse(null));
        binder.texts(steps, step -> step.reason().map(JobError::message).orElse(null));
        binder.uuids(steps, step -> step.begunHere().map(JobId::value).orElse(null));
        binder.array(steps.stream().flatMap(step -> step.begunAgain().stream()).toList(), JobId::value);
        binder.number(steps.size());
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        ended.read(rows, "error_message");
    }
}
