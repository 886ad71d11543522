package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/** Deletes the notes about ended child runs whose parents have been told. */
record SettleChildNotesStatement(List<RunId> children) implements LaneStatement {
    static final Section<RunId, SettleChildNotesStatement> SECTION =
            new Section<>(FlushOrder.SETTLE_CHILD_NOTES, SettleChildNotesStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with settled as (
                delete from child_note n using $rows(child_run_id uuid) as s
                where n.child_run_id = any (array[s.child_run_id]) and n.kind + 0 = {ChildNoteKind.ENDED}
                returning 1
            )
            select count(*) from settled
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return children.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(children, RunId::value);
    }
}
