package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.CancelJobsStatement;
import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunsStatement;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/**
 * Rejects a batch that cancels pending runs if another scheduler has started one of them meanwhile. The batch is then
 * planned again, and cancels the flow instead. Runs after {@link CancelJobsStatement}, as a statement of its own that
 * sees the other's commit.
 */
record CheckCanceledStatement(List<RunId> runs) implements RunsStatement {
    static final Section<RunId, CheckCanceledStatement> SECTION =
            new Section<>(FlushOrder.CHECK_CANCELED, CheckCanceledStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            select expect_rows('check_canceled', 0, (
                select count(*) from $rows(bucket int4, id uuid) as c
                join job_queue q on q.bucket = c.bucket and q.id = any (array[c.id])))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }
}
