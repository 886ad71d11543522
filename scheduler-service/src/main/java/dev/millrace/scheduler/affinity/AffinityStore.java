package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads affinity groups over a lane's connection. */
final class AffinityStore {
    private static final LaneQuery GROUPS_OF = new LaneQuery(
            "select id, group_key, first_key, session_id from worker_group where bucket = ? and run_id = ?");

    private final LaneConnection db;

    AffinityStore(LaneConnection db) {
        this.db = db;
    }

    List<AffinityGroup> groupsOf(RunId run) throws DatabaseLost {
        return db.query(
                GROUPS_OF,
                row -> new AffinityGroup(
                        row.getObject("id", UUID.class),
                        row.getString("group_key"),
                        row.getString("first_key"),
                        Optional.ofNullable(row.getObject("session_id", UUID.class))
                                .map(SessionId::new)),
                run.bucket().value(),
                run.value());
    }
}
