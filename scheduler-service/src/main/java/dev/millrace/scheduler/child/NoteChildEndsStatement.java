package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/** Notes the ends of runs that other runs wait for. */
record NoteChildEndsStatement(List<RunId> runs) implements LaneStatement {
    static final Section<RunId, NoteChildEndsStatement> SECTION =
            new Section<>(FlushOrder.NOTE_CHILD_ENDS, NoteChildEndsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with noted as (
                insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id)
                select o.run_id, {ChildNoteKind.ENDED}, o.origin_run_id, o.step_key, o.wait_id
                from $rows(run_id uuid) as e join run_origin o on o.run_id = any (array[e.run_id])
                where o.wait_id is not null
                on conflict do nothing
                returning 1
            )
            select count(*) from noted
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return runs.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(runs, RunId::value);
    }
}
