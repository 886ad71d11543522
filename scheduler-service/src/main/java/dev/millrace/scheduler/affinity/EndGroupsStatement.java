package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Deletes groups that have ended.
 *
 * @param folders collects the folders of these groups, by the sessions of the workers that hold them
 */
record EndGroupsStatement(List<GroupChange.Ended> groups, Map<SessionId, List<UUID>> folders)
        implements GroupsStatement<GroupChange.Ended> {
    static final Section<GroupChange.Ended, EndGroupsStatement> SECTION =
            new Section<>(FlushOrder.END_GROUPS, groups -> new EndGroupsStatement(groups, new LinkedHashMap<>()));

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(bucket int4, run_id uuid, id uuid) as e
            ), gone as (
                delete from worker_group g using ended e
                where g.bucket = any (array[e.bucket]) and g.run_id = e.run_id and (e.id is null or g.id = any (array[e.id]))
                returning g.id, g.session_id
            )
            select id, session_id from gone where session_id is not null
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            SessionId session = new SessionId(rows.getObject("session_id", UUID.class));
            folders.computeIfAbsent(session, _ -> new ArrayList<>()).add(rows.getObject("id", UUID.class));
        }
    }
}
