package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunsStatement;
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
 *
 * @param limitTags collects the tags of the limits for which jobs of the runs wait
 */
record RequeuePausedForLimitStatement(List<RunId> runs, Set<String> limitTags) implements RunsStatement {
    static final Section<RunId, RequeuePausedForLimitStatement> SECTION = new Section<>(
            FlushOrder.REQUEUE_PAUSED_FOR_LIMIT, runs -> new RequeuePausedForLimitStatement(runs, new HashSet<>()));

    private static final RowsSql SQL = new RowsSql("""
            with paused as (
                select * from $rows(bucket int4, run_id uuid) as p
            ), requeued as (
                update job_queue q set released_tag = q.tag, tag = q.limit_queue
                from paused p
                where q.bucket = p.bucket and q.run_id = any (array[p.run_id]) and q.state + 0 = {JobState.QUEUED} and coalesce(q.limit_queue, '') <> '' and q.released_tag is null
                returning q.tag
            )
            select tag from requeued
            union
            select q.tag from paused p join job_queue q on q.bucket = p.bucket and q.run_id = any (array[p.run_id])
            where q.state + 0 = {JobState.QUEUED} and q.released_tag is not null
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            if (JobLimit.isTag(rows.getString("tag"))) {
                limitTags.add(rows.getString("tag"));
            }
        }
    }
}
