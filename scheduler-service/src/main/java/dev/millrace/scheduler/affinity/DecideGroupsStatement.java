package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.FreeingStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobGroup;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Records the workers of groups, and reserves the waiting jobs of these groups for their workers. */
record DecideGroupsStatement(List<GroupChange.Decided> groups, Set<String> claimable)
        implements GroupsStatement<GroupChange.Decided>, FreeingStatement {
    static final Section<GroupChange.Decided, DecideGroupsStatement> SECTION =
            new Section<>(FlushOrder.DECIDE_GROUPS, groups -> new DecideGroupsStatement(groups, new TreeSet<>()));

    private static final RowsSql SQL = new RowsSql("""
            with decided as (
                select * from $rows(bucket int4, run_id uuid, id uuid, session_id uuid, worker_name text, route text) as d
            ), noted as (
                update worker_group g set session_id = d.session_id, worker_name = d.worker_name
                from decided d
                where g.bucket = any (array[d.bucket]) and g.run_id = d.run_id and g.id = any (array[d.id])
                returning 1
            ), led as (
                update job_queue q set tag = d.route || q.own_tag
                from decided d
                where q.bucket = d.bucket and q.run_id = any (array[d.run_id]) and q.group_id = d.id and q.own_tag is not null
                returning q.tag, q.state
            )
            select expect_rows('decide_groups', ?, (select count(*) from noted)),
                   (select array_agg(distinct tag) from led where state = {JobState.QUEUED}) as tags
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        GroupsStatement.super.bind(binder);
        binder.uuids(groups, group -> group.session().value());
        binder.texts(groups, GroupChange.Decided::workerName);
        binder.texts(groups, group -> JobGroup.route(group.session(), ""));
        binder.number(groups.size());
    }
}
