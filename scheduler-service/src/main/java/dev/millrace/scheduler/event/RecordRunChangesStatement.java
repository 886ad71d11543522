package dev.millrace.scheduler.event;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Inserts the events of operations on live runs, whose workspaces and names are in the queue. */
record RecordRunChangesStatement(List<RunChange> changes) implements LaneStatement {
    static final Section<RunChange, RecordRunChangesStatement> SECTION =
            new Section<>(FlushOrder.RECORD_RUN_EVENTS, RecordRunChangesStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into event (workspace, type, run_id, name, detail)
                select q.workspace, c.type, q.run_id, q.name, c.detail::json
                from $rows(bucket int4, run_id uuid, type text, detail text) as c
                join job_queue q on q.bucket = c.bucket and q.id = any (array[c.run_id])
                where (select true from event_recording r where r.workspace = q.workspace limit 1)
                returning 1
            )
            select count(*) from recorded
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return changes.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(changes, RunChange::run);
        binder.texts(changes, RunChange::type);
        binder.texts(changes, change -> change.detail().text());
    }
}
