package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Folds flows from the database alone, any number of them in one round trip. Versions are read first and again last,
 * and a flow whose version has changed in between is read again.
 */
final class FlowLoader {
    private final LaneStore store;

    FlowLoader(LaneStore store) {
        this.store = store;
    }

    /** Loads the flows that commands are about to move and that are not in memory. */
    void loadMissing(List<LaneCommand> items, Leases leases, LiveFlows flows) throws DatabaseLost {
        Set<RunId> unknown = new HashSet<>();
        for (LaneCommand item : items) {
            item.movedRun(leases).filter(run -> flows.find(run).isEmpty()).ifPresent(unknown::add);
        }
        if (!unknown.isEmpty()) {
            load(unknown).values().forEach(flows::put);
        }
    }

    /**
     * The runs that have a flow in progress.
     *
     * @throws ModelNotCompiled if no flow is compiled
     */
    Map<RunId, LiveFlow> load(Collection<RunId> runs) throws DatabaseLost {
        Map<RunId, LiveFlow> flows = new HashMap<>();
        List<ModelNotCompiled> missing = new ArrayList<>();
        List<RunId> open = List.copyOf(runs);
        while (!open.isEmpty()) {
            Roots roots = new Roots(open, new HashMap<>());
            Journals journals = new Journals(store, open, new HashMap<>());
            LiveSteps live = new LiveSteps(store, open, new HashMap<>());
            Versions versions = new Versions(open, new HashMap<>());
            store.db().read(List.of(roots, journals, live, versions));
            List<RunId> moved = new ArrayList<>();
            for (Map.Entry<RunId, Root> found : roots.found.entrySet()) {
                RunId run = found.getKey();
                Root root = found.getValue();
                if (Objects.equals(versions.found.get(run), root.version)) {
                    try {
                        flows.put(run, flow(run, root, journals.of(run), live.of(run)));
                    } catch (ModelNotCompiled notYet) {
                        missing.add(notYet);
                    }
                } else {
                    moved.add(run);
                }
            }
            open = moved;
        }
        if (flows.isEmpty() && !missing.isEmpty()) {
            throw missing.getFirst();
        }
        return flows;
    }

    private LiveFlow flow(RunId run, Root root, List<FinishedStep> journal, Map<StepKey, JobKind> live)
            throws DatabaseLost {
        FlowModel model = store.model(run, root.job.target()).in(root.options.env(), root.options.stepInput());
        FlowState state = store.fold(() -> FlowFold.of(model, run, root.input, journal, live.keySet()));
        LiveFlow flow = new LiveFlow(root.job, model, state, root.version, root.held, store.ids());
        live.forEach((key, kind) -> {
            if (kind.isWait()) {
                flow.knowWait(key);
            }
        });
        return flow;
    }

    private record Root(QueuedJob job, Json input, KeptOptions options, long version, boolean held) {}

    /** Reads the root jobs of flows in progress. */
    record Roots(List<RunId> runs, Map<RunId, Root> found) implements RunsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select q.*, $options
                from $rows(bucket int4, id uuid) as r
                join job_queue q on q.bucket = r.bucket and q.id = any (array[r.id])
                left join lateral (select * from run_option where run_id = q.id limit 1) o on true
                where q.state = {JobState.FLOW_RUNNING}
                """.replace("$options", KeptOptionColumn.SELECTED));

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                Root root = new Root(
                        JobColumns.read(rows),
                        new Json(rows.getString("input")),
                        JobColumns.options(rows),
                        rows.getLong("version"),
                        rows.getBoolean("held"));
                found.put(root.job.run(), root);
            }
        }
    }

    /** Reads the histories of runs, including rows that no longer count. Large results stay in the database. */
    record Journals(LaneStore store, List<RunId> runs, Map<RunId, List<FinishedStep>> found)
            implements RunIdsStatement {
        private static final RowsSql SQL = new RowsSql("select run_id, id, " + LaneStore.FINISHED_COLUMNS
                + " from job_history where run_id = any (?::uuid[]) and id >= ?::uuid and step_key <> ''");

        List<FinishedStep> of(RunId run) {
            return found.getOrDefault(run, List.of());
        }

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void bind(RowBinder binder) throws SQLException {
            RunIdsStatement.super.bind(binder);
            binder.uuid(runs.stream().map(RunId::jobsSince).min(UUID::compareTo).orElseThrow());
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.computeIfAbsent(run(rows), _ -> new ArrayList<>()).add(store.finished(rows));
            }
        }
    }

    /** Reads the live steps of runs. */
    record LiveSteps(LaneStore store, List<RunId> runs, Map<RunId, Map<StepKey, JobKind>> found)
            implements RunIdsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select run_id, id, step_key, kind from job_queue where run_id = any (?::uuid[]) and step_key <> ''
                """);

        Map<StepKey, JobKind> of(RunId run) {
            return found.getOrDefault(run, Map.of());
        }

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                store.passOver(rows);
                found.computeIfAbsent(run(rows), _ -> new HashMap<>())
                        .put(new StepKey(rows.getString("step_key")), JobKind.ofCode(rows.getInt("kind")));
            }
        }
    }

    /** Reads the number of transitions that flows have made. */
    record Versions(List<RunId> runs, Map<RunId, Long> found) implements RunsStatement {
        private static final RowsSql SQL = new RowsSql("""
                select q.run_id, q.version from $rows(bucket int4, id uuid) as r
                join job_queue q on q.bucket = r.bucket and q.id = any (array[r.id])
                where q.state = {JobState.FLOW_RUNNING}
                """);

        @Override
        public RowsSql sql() {
            return SQL;
        }

        @Override
        public void read(ResultSet rows) throws SQLException {
            while (rows.next()) {
                found.put(run(rows), rows.getLong("version"));
            }
        }
    }

    private static RunId run(ResultSet row) throws SQLException {
        return new RunId(row.getObject("run_id", UUID.class));
    }
}
