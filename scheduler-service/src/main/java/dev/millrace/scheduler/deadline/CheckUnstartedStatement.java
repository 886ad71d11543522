package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunsStatement;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/**
 * Rejects a flush that cancels runs as not started if a worker has received a job of such a run in the meantime. Any
 * lane may lease these jobs. From this statement on, the rows are locked, and lanes that look for jobs skip them.
 */
record CheckUnstartedStatement(List<RunId> runs) implements RunsStatement {
    static final Section<RunId, CheckUnstartedStatement> SECTION =
            new Section<>(FlushOrder.CHECK_UNSTARTED, CheckUnstartedStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with locked as materialized (
                select q.state from $rows(bucket int4, id uuid) as r
                join job_queue q on q.run_id = any (array[r.id]) and q.bucket = r.bucket
                order by q.bucket, q.id for update of q
            )
            select expect_rows('check_unstarted', 0, (select count(*) from locked where state = {JobState.LEASED}))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }
}
