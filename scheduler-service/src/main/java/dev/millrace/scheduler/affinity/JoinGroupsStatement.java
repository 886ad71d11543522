package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.JobsStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.sql.SQLException;
import java.util.List;

/**
 * Adds jobs that the same flush has enqueued to their groups. All jobs but the first one wait for the group's worker.
 */
record JoinGroupsStatement(List<QueuedJob> jobs) implements JobsStatement {
    static final Section<QueuedJob, JoinGroupsStatement> SECTION =
            new Section<>(FlushOrder.JOIN_GROUPS, JoinGroupsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with joined as (
                update job_queue q
                set group_id = j.group_id,
                    own_tag = case when j.route is not null then q.tag end,
                    tag = coalesce(j.route, q.tag)
                from $rows(bucket int4, id uuid, group_id uuid, route text) as j
                where q.bucket = j.bucket and q.id = any (array[j.id])
                returning 1
            )
            select expect_rows('join_groups', ?, (select count(*) from joined))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        JobsStatement.super.bind(binder);
        binder.uuids(jobs, job -> job.group().map(JobGroup::id).orElseThrow());
        binder.texts(jobs, job -> job.group().flatMap(JobGroup::route).orElse(null));
        binder.number(jobs.size());
    }
}
