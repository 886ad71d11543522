package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.HistorySql;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.OutcomeColumns;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Moves waits to the history. Affects only waits that still exist, so each wait ends once, whoever ends it. */
public record EndWaitsStatement(List<EndedWait> waits) implements LaneStatement {
    public static final Section<EndedWait, EndWaitsStatement> SECTION =
            new Section<>(FlushOrder.END_WAITS, EndWaitsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(
                    bucket int4, id uuid, status int4, result text, error_name text, error_message text, error_stack text) as e
            ), gone as (
                delete from job_queue q using ended e
                where q.bucket = e.bucket and q.id = any (array[e.id]) and q.kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN}) and q.state in ({JobState.DELAYED}, {JobState.SUSPENDED})
                returning q.*, e.status, e.result, e.error_name, e.error_message, e.error_stack
            ), recorded as ("""
            + HistorySql.insert(
                    "gone",
                    "status",
                    "result = result::json",
                    "error_name",
                    "error_message",
                    "error_stack",
                    "started_at = created_at")
            + """
                returning 1
            )
            select expect_rows('end_waits', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return waits.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.jobs(waits, EndedWait::id);
        OutcomeColumns.bind(binder, waits, EndedWait::outcome);
        binder.number(waits.size());
    }
}
