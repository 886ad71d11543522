package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
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

/** Deletes groups that have ended, and returns which workers hold their folders. */
final class EndGroupsStatement implements LaneStatement {
    static final Section<GroupChange.Ended, EndGroupsStatement> SECTION =
            new Section<>(FlushOrder.END_GROUPS, EndGroupsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with ended as (
                select * from $rows(bucket int4, run_id uuid, id uuid) as e
            ), gone as (
                delete from worker_group g using ended e
                where g.bucket = e.bucket and g.run_id = e.run_id and (e.id is null or g.id = e.id)
                returning g.id, g.session_id
            )
            select id, session_id from gone where session_id is not null
            """);

    private final List<GroupChange.Ended> groups;
    private final Map<SessionId, List<UUID>> folders = new LinkedHashMap<>();

    EndGroupsStatement(List<GroupChange.Ended> groups) {
        this.groups = groups;
    }

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return groups.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.runs(groups, GroupChange.Ended::run);
        binder.uuids(groups, group -> group.id().orElse(null));
    }

    @Override
    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            SessionId session = new SessionId(rows.getObject("session_id", UUID.class));
            folders.computeIfAbsent(session, _ -> new ArrayList<>()).add(rows.getObject("id", UUID.class));
        }
    }

    /** The folders that are no longer needed, by session. */
    Map<SessionId, List<UUID>> folders() {
        return folders;
    }
}
