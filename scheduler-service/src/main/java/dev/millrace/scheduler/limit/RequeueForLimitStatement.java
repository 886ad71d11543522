package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.JobsStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/**
 * Returns jobs that this flush has taken back from workers to the queues of their limits. The jobs give their capacity
 * back.
 */
record RequeueForLimitStatement(List<QueuedJob> jobs) implements JobsStatement {
    static final Section<QueuedJob, RequeueForLimitStatement> SECTION =
            new Section<>(FlushOrder.REQUEUE_FOR_LIMIT, RequeueForLimitStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with requeued as (
                update job_queue q set released_tag = q.tag, tag = q.limit_queue
                from $rows(bucket int4, id uuid) as p
                where q.bucket = p.bucket and q.id = any (array[p.id])
                returning 1
            )
            select expect_rows('requeue_for_limit', ?, (select count(*) from requeued))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        JobsStatement.super.bind(binder);
        binder.number(jobs.size());
    }
}
