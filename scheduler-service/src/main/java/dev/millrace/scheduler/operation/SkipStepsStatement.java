package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.child.OrphanedChildren;
import dev.millrace.scheduler.lane.EndedLeases;
import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.HistorySql;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.lane.StepsStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Moves live steps into the history as skipped, with a given result.
 *
 * @param ended collects the leases that workers hold on the steps
 */
record SkipStepsStatement(List<SkippedStep> steps, EndedLeases ended) implements StepsStatement<SkippedStep> {
    static final Section<SkippedStep, SkipStepsStatement> SECTION =
            new Section<>(FlushOrder.SKIP_STEPS, steps -> new SkipStepsStatement(steps, new EndedLeases()));

    private static final RowsSql SQL = new RowsSql("""
            with skipped as (
                select * from $rows(bucket int4, run_id uuid, step_key text, result text, reason text) as s
            ), gone as (
                delete from job_queue q using skipped s
                where q.bucket = s.bucket and q.run_id = any (array[s.run_id]) and q.step_key = s.step_key and q.id <> q.run_id
                returning q.*, s.result, s.reason
            ),""" + OrphanedChildren.NOTE + """
            , recorded as ("""
            + HistorySql.insert(
                    "gone", "status = {EndStatus.SKIPPED}", "session_id", "lease_token", "result = result::json")
            + """
                returning 1
            )
            select expect_rows('skip_steps', ?, (select count(*) from recorded)), reason,"""
            + " " + EndedLeases.COLUMNS + " from (values (1)) as one left join gone on true");

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        StepsStatement.super.bind(binder);
        binder.texts(steps, step -> step.result().text());
        binder.texts(steps, SkippedStep::reason);
        binder.number(steps.size());
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        ended.read(rows, "reason");
    }
}
