package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Inserts the history rows of steps that no worker ran. */
record RecordStepsStatement(List<RecordedStep> steps) implements LaneStatement {
    static final Section<RecordedStep, RecordStepsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_STEPS, RecordStepsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as ("""
            + HistorySql.insert(
                    "$rows(bucket int4, id uuid, run_id uuid, workspace text, kind int4, target text, name text, step_key text,"
                            + " input text, status int4, result text, error_name text, error_message text, error_stack text) as s",
                    "tag = ''",
                    "attempt = 1",
                    "input = input::json",
                    "traceparent = ''",
                    "created_at = now()",
                    "status",
                    "result = result::json",
                    "error_name",
                    "error_message",
                    "error_stack",
                    "started_at = now()")
            + """
                returning 1
            )
            select expect_rows('record_steps', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return steps.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.jobs(steps, RecordedStep::id);
        binder.uuids(steps, step -> step.run().value());
        binder.texts(steps, step -> step.workspace().name());
        binder.integers(steps, step -> step.kind().code());
        binder.texts(steps, RecordedStep::target);
        binder.texts(steps, RecordedStep::name);
        binder.texts(steps, RecordedStep::stepKey);
        binder.texts(steps, step -> step.input().text());
        OutcomeColumns.bind(binder, steps, RecordedStep::outcome);
        binder.number(steps.size());
    }
}
