package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Returns jobs of runs that are being paused to the queues of their limits, unless a worker has them: they give their
 * capacity back. Comes before {@link HoldRunsStatement}, which holds the jobs there.
 */
final class RequeuePausedForLimitStatement implements LaneStatement {
    static final Section<RunId, RequeuePausedForLimitStatement> SECTION =
            new Section<>(FlushOrder.REQUEUE_PAUSED_FOR_LIMIT, RequeuePausedForLimitStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with paused as (
                select * from $rows(bucket int4, run_id uuid) as p
            ), requeued as (
                update job_queue q set released_tag = q.tag, tag = q.limit_queue
                from paused p
                where q.bucket = p.bucket and q.run_id = p.run_id and q.state + 0 = {JobState.QUEUED} and coalesce(q.limit_queue, '') <> '' and q.released_tag is null
                returning q.tag
            )
            select tag from requeued
            union
            select q.tag from paused p join job_queue q on q.bucket = p.bucket and q.run_id = p.run_id
            where q.state + 0 = {JobState.QUEUED} and q.released_tag is not null
            """);

    private final List<RunId> runs;
    private final Set<String> limitTags = new HashSet<>();

    RequeuePausedForLimitStatement(List<RunId> runs) {
        this.runs = runs;
    }

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
        binder.runs(runs);
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            if (JobLimit.isTag(rows.getString("tag"))) {
                limitTags.add(rows.getString("tag"));
            }
        }
    }

    /** Tags of the limits for which jobs of the runs wait. */
    Set<String> limitTags() {
        return limitTags;
    }
}
