package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.HistorySql;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.lane.StepsStatement;
import java.sql.SQLException;
import java.util.List;

/** Moves steps whose group will never get its worker to the history as failed. */
record FailStepsStatement(List<FailedStep> steps) implements StepsStatement<FailedStep> {
    static final Section<FailedStep, FailStepsStatement> SECTION =
            new Section<>(FlushOrder.FAIL_STEPS, FailStepsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with failed as (
                select * from $rows(bucket int4, run_id uuid, step_key text, error_name text, error_message text) as f
            ), gone as (
                delete from job_queue q using failed f
                where q.bucket = f.bucket and q.run_id = any (array[f.run_id]) and q.step_key = f.step_key and q.own_tag is not null
                  and q.lease_token is null
                returning q.*, f.error_name, f.error_message
            ), recorded as ("""
            + HistorySql.insert(
                    "gone", "status = {EndStatus.FAILED}", "error_name", "error_message", "error_stack = ''")
            + """
                returning 1
            )
            select expect_rows('fail_steps', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        StepsStatement.super.bind(binder);
        binder.texts(steps, step -> step.error().name());
        binder.texts(steps, step -> step.error().message());
        binder.number(steps.size());
    }
}
