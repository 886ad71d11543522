package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.queue.core.RunId;

/** Reads what the database knows about runs that other runs have started. */
public final class ChildStore {
    private static final LaneQuery IS_FAILURE_FLOW =
            new LaneQuery("select 1 from run_origin where run_id = ? and relation = 'failure_flow'");

    private static final LaneQuery DEPTH_OF = new LaneQuery("select depth from run_origin where run_id = ?");

    private final LaneConnection db;

    public ChildStore(LaneConnection db) {
        this.db = db;
    }

    /** Returns whether the run was started because another run had failed. */
    public boolean isFailureFlow(RunId run) throws DatabaseLost {
        return db.exists(IS_FAILURE_FLOW, run.value());
    }

    /** Returns how many runs are above the run, each waiting for the one below. */
    int depthOf(RunId run) throws DatabaseLost {
        return db.first(DEPTH_OF, row -> row.getInt("depth"), run.value()).orElse(0);
    }
}
