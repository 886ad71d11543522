package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.UUID;

/** What is known of operations on runs. */
final class LaneOperationStore {
    private static final LaneQuery HAS_OPERATION =
            new LaneQuery("select 1 from run_operation where run_id = ? and id = ?");

    private static final LaneQuery FIND_OPERATION = new LaneQuery(
            "select operation from run_operation where run_id = ? and request_id = ? and request_id <> ''");

    private static final LaneQuery FIND_HELD =
            new LaneQuery("select held from job_queue where bucket = ? and id = ? and id = run_id");

    private static final LaneQuery RETRIES =
            new LaneQuery("select 1 from run_operation where run_id = ? and operation = 'retry'");

    private final LaneConnection db;

    LaneOperationStore(LaneConnection db) {
        this.db = db;
    }

    /** Whether the operation is on record. */
    boolean hasOperation(RunId run, UUID operation) throws DatabaseLost {
        return db.exists(HAS_OPERATION, run.value(), operation);
    }

    /** The operation on a run that a request with this id was for. */
    Optional<String> findOperation(RunId run, String requestId) throws DatabaseLost {
        return db.first(FIND_OPERATION, row -> row.getString("operation"), run.value(), requestId);
    }

    /** Whether the run is paused; empty where it is not live. */
    Optional<Boolean> findHeld(RunId run) throws DatabaseLost {
        return db.first(FIND_HELD, row -> row.getBoolean("held"), run.bucket().value(), run.value());
    }

    /** How often the run was retried. */
    int retries(RunId run) throws DatabaseLost {
        return db.query(RETRIES, _ -> true, run.value()).size();
    }
}
