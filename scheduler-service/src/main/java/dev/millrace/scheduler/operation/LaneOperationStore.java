package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunRequest;
import dev.millrace.scheduler.lane.RunRequestsStatement;
import dev.millrace.scheduler.lane.RunsStatement;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads of a lane about operations on runs, and about the runs in the queue. */
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

    /** Whether the operation is recorded. */
    boolean hasOperation(RunId run, UUID operation) throws DatabaseLost {
        return db.exists(HAS_OPERATION, run.value(), operation);
    }

    /** The operation on a run that a request with this id performed; empty if there was none. */
    Optional<OperationKind> findOperation(RunId run, String requestId) throws DatabaseLost {
        return db.first(FIND_OPERATION, row -> OperationKind.of(row.getString("operation")), run.value(), requestId);
    }

    /** Whether the run is paused; empty if it is not in the queue. */
    Optional<Boolean> findHeld(RunId run) throws DatabaseLost {
        return db.first(FIND_HELD, row -> row.getBoolean("held"), run.bucket().value(), run.value());
    }

    /** How often the run has been retried. */
    int retries(RunId run) throws DatabaseLost {
        return db.query(RETRIES, _ -> true, run.value()).size();
    }

    /** Reads runs in the queue and earlier requests in one round trip. */
    Known load(Collection<RunId> runs, Collection<RunRequest> requests) throws DatabaseLost {
        Roots roots = new Roots(List.copyOf(runs), new HashMap<>());
        Earlier earlier = new Earlier(List.copyOf(requests), new HashMap<>());
        db.read(requests.isEmpty() ? List.of(roots) : List.of(roots, earlier));
        return new Known(Set.copyOf(runs), roots.found, Set.copyOf(requests), earlier.found);
    }

    /** Root job of a run in the queue. */
    record Root(boolean held, boolean isFlowInProgress) {}

    /**
     * Facts about the runs of a flush's operations, read in advance.
     *
     * @param runs runs that were looked up
     * @param roots root jobs of the runs that are in the queue
     * @param requests requests that were looked up
     * @param earlier operations that earlier requests with these ids performed
     */
    record Known(
            Set<RunId> runs, Map<RunId, Root> roots, Set<RunRequest> requests, Map<RunRequest, OperationKind> earlier) {
        static final Known NOTHING = new Known(Set.of(), Map.of(), Set.of(), Map.of());

        /** Whether the database is known to hold no flow in progress of this run. */
        boolean hasNoFlow(RunId run) {
            return runs.contains(run)
                    && Optional.ofNullable(roots.get(run))
                            .filter(Root::isFlowInProgress)
                            .isEmpty();
        }
    }

    /** Reads the root jobs of runs in the queue. */
    record Roots(List<RunId> runs, Map<RunId, Root> found) implements RunsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select q.id, q.held, q.state + 0 = {JobState.FLOW_RUNNING} as is_flow
                from $rows(bucket int4, id uuid) as r
                join job_queue q on q.bucket = r.bucket and q.id = any (array[r.id]) and q.id = q.run_id
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.put(
                        new RunId(rows.getObject("id", UUID.class)),
                        new Root(rows.getBoolean("held"), rows.getBoolean("is_flow")));
            }
        }
    }

    /** Reads the operations that earlier requests performed. */
    record Earlier(List<RunRequest> requests, Map<RunRequest, OperationKind> found) implements RunRequestsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select o.run_id, o.request_id, o.operation from $rows(run_id uuid, request_id text) as r
                join run_operation o on o.run_id = any (array[r.run_id]) and o.request_id = r.request_id
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.put(
                        new RunRequest(new RunId(rows.getObject("run_id", UUID.class)), rows.getString("request_id")),
                        OperationKind.of(rows.getString("operation")));
            }
        }
    }
}
