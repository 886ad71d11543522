package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Moves the root jobs of flows that end into the history. The expected version fences stale state in memory. */
record EndFlowsStatement(List<FlowTransition> flows) implements LaneStatement {
    static final Section<FlowTransition, EndFlowsStatement> SECTION =
            new Section<>(FlushOrder.END_FLOWS, EndFlowsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(
                    bucket int4, id uuid, expected_version int8, status int4, result text, error_name text, error_message text,
                    error_stack text) as e
            ), gone as (
                delete from job_queue q using ended e
                where q.bucket = e.bucket and q.id = any (array[e.id]) and q.version = e.expected_version and q.state = {JobState.FLOW_RUNNING}
                returning q.*, e.status, e.result, e.error_name, e.error_message, e.error_stack
            ), recorded as ("""
            + HistorySql.insert(
                    "gone",
                    "status",
                    "result = result::json",
                    "error_name",
                    "error_message",
                    "error_stack",
                    "started_at = created_at",
                    "priority")
            + """
                returning 1
            )
            select expect_rows('end_flows', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return flows.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(flows, FlowTransition::run);
        binder.numbers(flows, FlowTransition::version);
        OutcomeColumns.bind(binder, flows, flow -> flow.end().orElseThrow());
        binder.number(flows.size());
    }
}
