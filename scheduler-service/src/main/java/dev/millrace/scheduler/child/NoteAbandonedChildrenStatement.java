package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobId;
import java.sql.SQLException;
import java.util.List;

/**
 * Notes child runs that lose the runs waiting for them. The waits are still in the queue; later statements of the flush
 * remove them.
 */
record NoteAbandonedChildrenStatement(List<LeavingWaits> waits) implements LaneStatement {
    static final Section<LeavingWaits, NoteAbandonedChildrenStatement> SECTION =
            new Section<>(FlushOrder.NOTE_ABANDONED_CHILDREN, NoteAbandonedChildrenStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with leaving as (
                select * from $rows(bucket int4, run_id uuid, step_key text, begun_here uuid) as l
            ), gone as (
                select q.* from leaving l join job_queue q on q.bucket = l.bucket and q.run_id = any (array[l.run_id])
                where l.step_key is null or q.step_key = l.step_key
                  and case when l.begun_here is null then q.id <> all (?::uuid[]) else q.id = l.begun_here end
            ),""" + OrphanedChildren.NOTE + """
            select count(*) from gone
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
        binder.runs(waits, LeavingWaits::run);
        binder.texts(waits, wait -> wait.stepKey().orElse(null));
        binder.uuids(waits, wait -> wait.begunHere().map(JobId::value).orElse(null));
        binder.array(waits.stream().flatMap(wait -> wait.begunAgain().stream()).toList(), JobId::value);
    }
}
