package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.RunIdsStatement;
import dev.millrace.scheduler.lane.RunRequest;
import dev.millrace.scheduler.lane.RunRequestsStatement;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.OpenWait;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.RunWaits;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads the waits and signals of runs over a lane's connection. The version of the run's flow fences what it reads. */
final class LaneWaitStore {
    private final LaneStore store;

    LaneWaitStore(LaneStore store) {
        this.store = store;
    }

    /** Returns the open waits of runs, the signals that these waits have received, and the signals that are kept. */
    Map<RunId, RunWaits> load(Collection<RunId> runs) throws DatabaseLost {
        List<RunId> asked = List.copyOf(runs);
        OpenWaits waits = new OpenWaits(asked, new HashMap<>());
        Signals signals = new Signals(asked, new HashMap<>());
        store.db().read(List.of(waits, signals));
        Map<RunId, RunWaits> loaded = new HashMap<>();
        for (RunId run : asked) {
            loaded.put(
                    run,
                    new RunWaits(waits.found.getOrDefault(run, List.of()), signals.found.getOrDefault(run, List.of())));
        }
        return loaded;
    }

    /** Returns those of the requests that were received before. */
    Set<RunRequest> known(List<RunRequest> requests) throws DatabaseLost {
        KnownSignals known = new KnownSignals(requests, new HashSet<>());
        store.db().read(List.of(known));
        return known.found;
    }

    /**
     * Loads the waits of runs for events. Sorts by the text of the id, because Postgres may read the whole queue by its key for the
     * order of ids.
     */
    record OpenWaits(List<RunId> runs, Map<RunId, List<OpenWait>> found) implements RunIdsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select run_id, id, step_key, input from job_queue
                where run_id = any (?::uuid[]) and kind = {JobKind.WAIT} and state = {JobState.SUSPENDED} order by id::text collate "C"
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                OpenWait wait = new OpenWait(
                        new JobId(rows.getObject("id", UUID.class)),
                        rows.getString("step_key"),
                        WaitInput.read(rows.getString("input")));
                found.computeIfAbsent(run(rows), _ -> new ArrayList<>()).add(wait);
            }
        }
    }

    /**
     * Loads the signals of runs that are kept or count for an open wait. Looks up each wait separately, because
     * Postgres may read the whole queue for an {@code exists}.
     */
    record Signals(List<RunId> runs, Map<RunId, List<RunWaits.Known>> found) implements RunIdsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select s.* from signal s
                where s.run_id = any (?::uuid[]) and (s.wait_id is null
                    or (select q.id from job_queue q where q.bucket = s.bucket and q.id = s.wait_id) is not null)
                order by s.id
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.computeIfAbsent(run(rows), _ -> new ArrayList<>()).add(LaneWaitStore.known(rows));
            }
        }
    }

    /** Finds the requests that were received before. */
    record KnownSignals(List<RunRequest> requests, Set<RunRequest> found) implements RunRequestsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select s.run_id, s.request_id from $rows(run_id uuid, request_id text) as r
                join signal s on s.run_id = any (array[r.run_id]) and s.request_id = r.request_id
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.add(new RunRequest(run(rows), rows.getString("request_id")));
            }
        }
    }

    private static RunId run(ResultSet row) throws SQLException {
        return new RunId(row.getObject("run_id", UUID.class));
    }

    private static RunWaits.Known known(ResultSet row) throws SQLException {
        String name = row.getString("name");
        RunSignal signal = new RunSignal(
                row.getObject("id", UUID.class),
                name.isEmpty() ? new Address.StepToCome(row.getString("step_key")) : new Address.Name(name),
                SignalKind.ofCode(row.getInt("kind")),
                new Json(row.getString("payload")),
                row.getString("who"),
                row.getString("request_id"));
        return new RunWaits.Known(
                signal,
                Optional.ofNullable(row.getObject("wait_id", UUID.class)).map(JobId::new));
    }
}
