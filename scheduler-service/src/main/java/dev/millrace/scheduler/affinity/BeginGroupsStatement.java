package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Inserts affinity groups. */
record BeginGroupsStatement(List<GroupChange.Begun> groups) implements GroupsStatement<GroupChange.Begun> {
    static final Section<GroupChange.Begun, BeginGroupsStatement> SECTION =
            new Section<>(FlushOrder.BEGIN_GROUPS, BeginGroupsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with begun as (
                insert into worker_group (bucket, run_id, id, group_key, first_key)
                select * from $rows(bucket int4, run_id uuid, id uuid, group_key text, first_key text) as b
                returning 1
            )
            select expect_rows('begin_groups', ?, (select count(*) from begun))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        GroupsStatement.super.bind(binder);
        binder.texts(groups, begun -> begun.group().key());
        binder.texts(groups, begun -> begun.group().firstKey());
        binder.number(groups.size());
    }
}
