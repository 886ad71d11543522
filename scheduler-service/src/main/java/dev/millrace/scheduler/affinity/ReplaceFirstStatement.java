package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.FreeingStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Frees waiting jobs to run on any worker, because the first jobs of their groups are gone without having run. */
record ReplaceFirstStatement(List<GroupChange.FirstReplaced> groups, Set<String> claimable)
        implements GroupsStatement<GroupChange.FirstReplaced>, FreeingStatement {
    static final Section<GroupChange.FirstReplaced, ReplaceFirstStatement> SECTION =
            new Section<>(FlushOrder.REPLACE_FIRST, groups -> new ReplaceFirstStatement(groups, new TreeSet<>()));

    private static final RowsSql SQL = new RowsSql("""
            with replaced as (
                select * from $rows(bucket int4, run_id uuid, id uuid, step_key text) as r
            ), noted as (
                update worker_group g set first_key = r.step_key
                from replaced r
                where g.bucket = any (array[r.bucket]) and g.run_id = r.run_id and g.id = any (array[r.id])
                returning 1
            ), freed as (
                update job_queue q set tag = coalesce(q.own_tag, q.tag), own_tag = null
                from replaced r
                where q.bucket = r.bucket and q.run_id = any (array[r.run_id]) and q.step_key = r.step_key and q.group_id = r.id
                returning q.tag, q.state
            )
            select expect_rows('replace_first', ?, (select count(*) from noted)),
                   expect_rows('replace_first', ?, (select count(*) from freed)),
                   (select array_agg(distinct tag) from freed where state = {JobState.QUEUED}) as tags
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        GroupsStatement.super.bind(binder);
        binder.texts(groups, GroupChange.FirstReplaced::stepKey);
        binder.number(groups.size());
        binder.number(groups.size());
    }
}
