package dev.millrace.scheduler.cache;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.CacheUse;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.RecordedStep;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The result cache as a feature of the lane. Cached results end steps and runs as soon as they begin, and new results
 * go to the cache.
 */
public final class CacheFeature implements LaneFeature {
    /**
     * Maximum number of results that one flush takes from the cache, so that a loop over cached steps does not hold up
     * its lane. Steps beyond this number run.
     */
    static final int HITS_MAX = 1_000;

    /** The sum keeps Postgres from the index of ends, which it may prefer to the key. */
    private static final LaneQuery FIND = new LaneQuery("""
            select encode(key, 'hex') as key, result from result_cache
            where workspace = ? and key = any (array(select decode(k, 'hex') from unnest(?::text[]) as k)) and expires_at + interval '0' > now()
            """);

    private static final LaneQuery KEPT_NOW =
            new LaneQuery("""
            select c.run_id, c.step_key, encode(c.key, 'hex') as key from result_cache_call c
            join unnest(?::text[], ?::text[], ?::text[]) as k(bucket, run_id, step_key)
                on c.bucket = any (array[k.bucket::smallint]) and c.run_id = k.run_id::uuid and c.step_key = k.step_key
            where c.workspace = ? and not $marked
            """.replace("$marked", UncachedRunStore.isMarked("c.run_id")));

    private final FlushPlan plan;
    private final LaneConnection db;

    public CacheFeature(FlushPlan plan) {
        this.plan = plan;
        this.db = plan.store().db();
    }

    /**
     * Looks up the results of a decision's jobs. Records the jobs whose results are unknown, so that these are cached
     * later.
     */
    @Override
    public Answers answer(LiveFlow flow, Decision decision) throws DatabaseLost {
        if (!flow.model().keepsResults()) {
            return Answers.NONE;
        }
        Map<StartJob, ResultKey> asking = new HashMap<>();
        for (StartJob job : decision.jobs()) {
            job.cache()
                    .ifPresent(use -> asking.put(
                            job,
                            ResultKey.of(
                                    flow.root().folder(),
                                    JobKind.of(job.target()),
                                    job.target().key(),
                                    use.key())));
        }
        QueuedJob root = flow.root();
        Map<ResultKey, Json> known = plan.rows(MarkCachedStatement.SECTION).size() < HITS_MAX
                ? find(root.workspace(), List.copyOf(asking.values()))
                : Map.of();
        Set<StepKey> needless = new HashSet<>();
        List<FlowEvent> events = new ArrayList<>();
        for (StartJob job : decision.jobs()) {
            ResultKey key = asking.get(job);
            if (key == null) {
                continue;
            }
            Json result = known.get(key);
            if (result != null) {
                Outcome outcome = new Outcome.Succeeded(result);
                record(root, job, outcome);
                needless.add(job.key());
                events.add(new FlowEvent.StepEnded(job.key(), outcome));
            } else {
                plan.add(
                        BeginCacheCallsStatement.SECTION,
                        new CacheCall(
                                root.run(),
                                job.key().text(),
                                root.workspace(),
                                key,
                                job.cache().orElseThrow().ttl()));
            }
        }
        return new Answers(needless, events);
    }

    private void record(QueuedJob root, StartJob job, Outcome outcome) {
        JobId id = plan.context().ids().nextJob(root.run());
        plan.add(MarkCachedStatement.SECTION, id);
        plan.record(new RecordedStep(
                id,
                root.run(),
                root.workspace(),
                JobKind.of(job.target()),
                job.target().key(),
                job.name(),
                job.key().text(),
                job.input(),
                outcome));
    }

    /** Returns the cached result of a run of a flow; empty if there is none or the flow uses no cache. */
    @Override
    public Optional<Admission> lookUp(QueuedJob root, String flowHash, RunKeys keys) throws DatabaseLost {
        return switch (keys.cache()) {
            case CacheUse.Asking.None _ -> Optional.empty();
            case CacheUse.Asking.Unusable(JobError error) -> Optional.of(new Admission.Failed(error));
            case CacheUse.Asking.Asked(CacheUse use) -> {
                ResultKey key = ResultKey.of(root.folder(), JobKind.FLOW, flowHash, use.key());
                Json known = find(root.workspace(), List.of(key)).get(key);
                if (known == null) {
                    yield Optional.empty();
                }
                plan.add(MarkCachedStatement.SECTION, root.id());
                yield Optional.of(new Admission.Known(new Outcome.Succeeded(known)));
            }
        };
    }

    @Override
    public void stepEnds(LiveFlow flow, StepKey step, Outcome outcome) {
        if (outcome instanceof Outcome.Succeeded(Json result) && flow.model().keepsResult(step)) {
            plan.add(KeepResultsStatement.SECTION, new KeptResult(flow.root().run(), step.text(), result));
        }
    }

    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (outcome instanceof Outcome.Succeeded(Json output)
                && flow.model().definition().options().cache().isPresent()) {
            plan.add(KeepResultsStatement.SECTION, new KeptResult(flow.root().run(), "", output));
        }
    }

    /** Records that the result of a run is to be cached, if its flow requests that. */
    @Override
    public void begins(LiveFlow flow) {
        QueuedJob root = flow.root();
        if (flow.keys().cache() instanceof CacheUse.Asking.Asked(CacheUse use)) {
            ResultKey key = ResultKey.of(root.folder(), JobKind.FLOW, root.target(), use.key());
            plan.add(BeginCacheCallsStatement.SECTION, new CacheCall(root.run(), "", root.workspace(), key, use.ttl()));
        }
    }

    private Map<ResultKey, Json> find(Workspace workspace, List<ResultKey> keys) throws DatabaseLost {
        if (keys.isEmpty()) {
            return Map.of();
        }
        Map<ResultKey, Json> found = keptNow(workspace);
        String[] hexes = keys.stream().map(ResultKey::hex).toArray(String[]::new);
        db.query(
                FIND,
                row -> found.putIfAbsent(new ResultKey(row.getString("key")), new Json(row.getString("result"))),
                workspace.name(),
                hexes);
        return found;
    }

    /**
     * Finds results that this very flush caches, such as that of the preceding step. The other query cannot see them
     * yet.
     */
    private Map<ResultKey, Json> keptNow(Workspace workspace) throws DatabaseLost {
        Map<ResultKey, Json> found = new HashMap<>();
        List<KeptResult> now = plan.rows(KeepResultsStatement.SECTION);
        if (now.isEmpty()) {
            return found;
        }
        Map<String, Json> results = new HashMap<>();
        plan.rows(KeepResultsStatement.SECTION)
                .forEach(kept -> results.put(kept.run() + " " + kept.stepKey(), kept.result()));
        db.query(
                KEPT_NOW,
                row -> found.put(
                        new ResultKey(row.getString("key")),
                        requireNonNull(results.get(row.getString("run_id") + " " + row.getString("step_key")))),
                texts(now, kept -> String.valueOf(kept.run().bucket().value())),
                texts(now, kept -> kept.run().toString()),
                texts(now, KeptResult::stepKey),
                workspace.name());
        return found;
    }

    private static String[] texts(List<KeptResult> results, Function<KeptResult, String> column) {
        return results.stream().map(column).toArray(String[]::new);
    }
}
