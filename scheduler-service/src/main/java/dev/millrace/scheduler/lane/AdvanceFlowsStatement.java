package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the transitions of flows that continue. The expected version fences stale state in memory. Rows are locked in
 * id order.
 */
record AdvanceFlowsStatement(List<FlowTransition> flows) implements LaneStatement {
    static final Section<FlowTransition, AdvanceFlowsStatement> SECTION =
            new Section<>(FlushOrder.ADVANCE_FLOWS, AdvanceFlowsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with moved as (
                select * from $rows(bucket int4, id uuid, version int8, transitions int4) as m
            ), advanced as (
                update job_queue q set version = q.version + m.transitions
                from moved m
                where q.bucket = m.bucket and q.id = any (array[m.id]) and q.version = m.version and q.state = {JobState.FLOW_RUNNING}
                returning 1
            )
            select expect_rows('advance_flows', ?, (select count(*) from advanced))
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
        List<FlowTransition> inOrder = new ArrayList<>(flows);
        inOrder.sort((a, b) -> a.run().rootJob().compareTo(b.run().rootJob()));
        binder.runs(inOrder, FlowTransition::run);
        binder.numbers(inOrder, FlowTransition::version);
        binder.integers(inOrder, FlowTransition::transitions);
        binder.number(inOrder.size());
    }
}
