package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Makes sure, under the locks of {@link TakeTurnsStatement}, that no limit on runs at a time is exceeded. */
record CheckTurnsStatement(List<Turn> turns) implements LaneStatement {
    static final Section<Turn, CheckTurnsStatement> SECTION =
            new Section<>(FlushOrder.CHECK_TURNS, CheckTurnsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with turns as (
                select limit_key, min(runs_max) as runs_max from $rows(limit_key text, runs_max int4) as t group by limit_key
            )
            select expect_rows('check_turns', 0, (
                select count(*) from turns t
                where (select count(*) from job_queue q where q.limit_key = t.limit_key and q.state = {JobState.FLOW_RUNNING}) > t.runs_max))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return turns.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.texts(turns, Turn::limitKey);
        binder.integers(turns, turn -> turn.runsMax().orElseThrow());
    }
}
