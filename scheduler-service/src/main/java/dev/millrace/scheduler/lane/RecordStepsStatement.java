package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Inserts the history rows of steps that needed no worker. */
record RecordStepsStatement(List<RecordedStep> steps) implements LaneStatement {
    private static final String SQL = """
            with recorded as (
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, input,
                    status, result, error_name, error_message, error_stack, attempt, created_at, started_at, ended_at)
                select bucket, id, run_id, workspace, kind, target, name, step_key, '', input::json,
                    status, result::json, error_name, error_message, error_stack, 1, now(), now(), now()
                from unnest(?::int4[], ?::uuid[], ?::uuid[], ?::text[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[],
                            ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[])
                    as s(bucket, id, run_id, workspace, kind, target, name, step_key, input,
                         status, result, error_name, error_message, error_stack)
                returning 1
            )
            select expect_rows('record_steps', ?, (select count(*) from recorded))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.jobs(steps, RecordedStep::id);
        binder.uuids(steps, step -> step.run().value());
        binder.texts(steps, RecordedStep::workspace);
        binder.integers(steps, step -> step.kind().code());
        binder.texts(steps, RecordedStep::target);
        binder.texts(steps, RecordedStep::name);
        binder.texts(steps, RecordedStep::stepKey);
        binder.texts(steps, step -> step.input().text());
        OutcomeColumns.bind(binder, steps, RecordedStep::outcome);
        binder.number(steps.size());
    }
}
