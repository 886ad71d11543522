package dev.millrace.scheduler.lane;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.scheduler.affinity.AffinityFeature;
import dev.millrace.scheduler.cache.CacheFeature;
import dev.millrace.scheduler.child.ChildFeature;
import dev.millrace.scheduler.child.EndedChild;
import dev.millrace.scheduler.child.LaneChildren;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.EventFeature;
import dev.millrace.scheduler.event.LaneRecordingStore;
import dev.millrace.scheduler.event.Recording;
import dev.millrace.scheduler.event.RecordingLearned;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.FlowModels;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.limit.ConcurrencyLimiter;
import dev.millrace.scheduler.limit.JobLimitFeature;
import dev.millrace.scheduler.operation.LaneOperations;
import dev.millrace.scheduler.operation.OperationFeature;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.SlotGroup;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.TagRoutes;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.signal.DueWait;
import dev.millrace.scheduler.signal.LaneWaits;
import dev.millrace.scheduler.signal.SignalResult;
import dev.millrace.scheduler.signal.WaitFeature;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.start.AcceptedRuns;
import dev.millrace.scheduler.start.LaneStarts;
import dev.millrace.scheduler.start.RunStart;
import dev.millrace.scheduler.start.StartFeature;
import dev.millrace.scheduler.testing.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Lanes with a database of their own, and everything around them except workers. */
public final class LaneFixture implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int LOSSES_MAX = 3;
    /**
     * Most bytes of the flows that a scheduler remembers: so few that flows are dropped and folded again all the time.
     */
    public static final long FLOW_BYTES_MAX = 20_000;

    public static final String CUT_LANES =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lane'";

    /** Number of large results that were read from the history. */
    public final AtomicInteger resultsRead = new AtomicInteger();

    /** Number of further reads of large results that fail, as if the database were unavailable. */
    public final AtomicInteger resultsToMiss = new AtomicInteger();

    private static final List<LaneFeature.Maker> FEATURES = List.of(
            OperationFeature::new,
            StartFeature::new,
            CacheFeature::new,
            AffinityFeature::new,
            ChildFeature::new,
            WaitFeature::new,
            JobLimitFeature::new);

    private static final long RESULT_BYTES_MAX = 64 << 20;

    public final TestDatabase testDatabase = TestDatabase.migrated();
    public final Database database = testDatabase.open();
    public final IdSource ids = new IdSource(System::currentTimeMillis, new Random(7));
    public final RunEvents events = new RunEvents();
    public final Map<String, FlowModel> models = new ConcurrentHashMap<>();
    /** Models that the scheduler has compiled. */
    public final Map<String, FlowModel> compiled = new ConcurrentHashMap<>();
    /** Called before each compilation of a flow. */
    public volatile Runnable compilation = () -> {};
    /** Number of further look-ups of models that fail, as if the database were unavailable. */
    public final AtomicInteger modelsToMiss = new AtomicInteger();

    private final List<Lanes> schedulers = new ArrayList<>();
    private final List<ConcurrencyLimiter> limiters = new ArrayList<>();

    /** The lanes of one scheduler, with a slot board of their own. */
    public record OneScheduler(SchedulerId id, Lanes lanes, SlotBoard slots, Database database) {
        public FakeWorker connect(IdSource ids, int slotsOfGroup, String... tags) {
            FakeWorker worker = new FakeWorker(ids);
            hold(worker);
            slots.connect(worker, List.of(group(slotsOfGroup, tags)), Map.of());
            lanes.wake();
            return worker;
        }

        public CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note) {
            return operations().operate(run, operation, note);
        }

        public CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note) {
            return operations().rerun(rerun, note);
        }

        private LaneOperations operations() {
            return new LaneOperations(lanes, new IdSource(System::currentTimeMillis, new Random()));
        }

        public CompletableFuture<SignalResult> send(RunId run, RunSignal signal) {
            return new LaneWaits(lanes).send(run, signal);
        }

        public CompletableFuture<Void> waitDue(DueWait wait) {
            return new LaneWaits(lanes).end(wait);
        }

        public CompletableFuture<Void> childEnded(EndedChild end) {
            return new LaneChildren(lanes).end(end);
        }

        public CompletableFuture<Optional<Duration>> start(RunStart start) {
            return new LaneStarts(lanes).begin(start);
        }

        public CompletableFuture<Void> expire(RunId run) {
            return new LaneStarts(lanes).expire(run);
        }

        /** Makes this scheduler the holder of the worker's session. */
        public void hold(FakeWorker worker) {
            database.run(context -> context.execute("""
                    insert into worker_session (id, resume_token_hash, worker_name, version, runtimes, labels, slot_groups, holder, expires_at)
                    values (?, '', 'fake', '1', '{}', '{}', '[]', ?, now() + interval '1 hour')
                    on conflict (id) do update set holder = excluded.holder
                    """, worker.session().value(), id.value()));
        }
    }

    public static SlotGroup group(int slotsOfGroup, String... tags) {
        return new SlotGroup("all", List.of(tags), slotsOfGroup, 0);
    }

    public OneScheduler start(int laneCount) {
        return start(laneCount, new EventBus());
    }

    /** Starts lanes that use these connections to the database. */
    public OneScheduler start(int laneCount, Callable<Connection> connections) {
        return start(laneCount, new EventBus(), connections);
    }

    /** Starts lanes with a concurrency limiter. */
    public OneScheduler startWithLimits(int laneCount) {
        EventBus bus = new EventBus();
        OneScheduler scheduler = start(laneCount, bus);
        ConcurrencyLimiter limiter =
                new ConcurrencyLimiter(database, bus, tags -> tags.forEach(scheduler.lanes()::jobsMayWait));
        limiter.start();
        limiters.add(limiter);
        return scheduler;
    }

    private OneScheduler start(int laneCount, EventBus bus) {
        return start(laneCount, bus, () -> database.openForLane("lane"));
    }

    /** Starts lanes that store events of the workspaces that are recorded. */
    public OneScheduler startRecording(int laneCount, EventBus bus, Recording recording) {
        return startRecording(laneCount, bus, recording, () -> {});
    }

    /** @param connecting is run before each lane opens a connection */
    public OneScheduler startRecording(int laneCount, EventBus bus, Recording recording, Runnable connecting) {
        OneScheduler scheduler = start(
                laneCount,
                bus,
                LaneRecordingStore.entering(recording, () -> {
                    connecting.run();
                    return database.openForLane("lane");
                }),
                Stream.concat(FEATURES.stream(), Stream.of(EventFeature.of(recording)))
                        .toList());
        bus.subscribe(RecordingLearned.class, _ -> scheduler.lanes().wakeAll());
        return scheduler;
    }

    private OneScheduler start(int laneCount, EventBus bus, Callable<Connection> connections) {
        return start(laneCount, bus, connections, FEATURES);
    }

    private OneScheduler start(
            int laneCount, EventBus bus, Callable<Connection> connections, List<LaneFeature.Maker> features) {
        SchedulerId id = new SchedulerId(ids.nextUuid());
        SlotBoard slots = new SlotBoard();
        Lanes lanes = new Lanes(
                id,
                laneCount,
                connections,
                new Models(),
                this::findResult,
                ids,
                new Random(11),
                slots,
                TagRoutes.PLAIN,
                new Leases(),
                new StartedJobs(),
                events,
                bus,
                LOSSES_MAX,
                MemoryBudget.ofBytes(RESULT_BYTES_MAX).part("results", 1),
                FLOW_BYTES_MAX,
                LaneObserver.NONE,
                features);
        AcceptedRuns.subscribe(bus, lanes);
        lanes.start();
        schedulers.add(lanes);
        return new OneScheduler(id, lanes, slots, database);
    }

    private Optional<String> findResult(JobId job) {
        if (resultsToMiss.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, "The pool has no connection.");
        }
        resultsRead.incrementAndGet();
        return new ResultStore(database).find(job);
    }

    private final class Models implements FlowModels {
        /** Present once compiled, until a test clears {@link #compiled}. */
        @Override
        public Optional<FlowModel> compiled(String hash) {
            return Optional.ofNullable(compiled.get(hash));
        }

        @Override
        public FlowModel model(String hash) {
            FlowModel model = findModel(hash);
            compiled.put(hash, model);
            return model;
        }
    }

    private FlowModel findModel(String hash) {
        compilation.run();
        if (modelsToMiss.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, "The pool has no connection.");
        }
        return Optional.ofNullable(models.get(hash)).orElseThrow();
    }

    public LaneConnection laneConnection() {
        return new LaneConnection(() -> database.openForLane("lane"));
    }

    /** Store of a lane that loads no flows. */
    public LaneStore laneStore(LaneConnection db) {
        return new LaneStore(db, new Models(), new ResultStore(database), ids);
    }

    /** Writes one row with the given sections, like a flush without other rows. */
    public <R> void flush(R row, List<Section<R, ?>> sections) throws FlushRefused, DatabaseLost {
        FlushRows rows = new FlushRows(new SchedulerId(new UUID(0, 1)));
        sections.forEach(section -> rows.add(section, row));
        try (LaneConnection db = laneConnection()) {
            db.flush(rows);
        }
    }

    /** Waits of a run in the queue. */
    public List<DueWait> waits(RunId run) {
        return new ArrayList<>(database.run(context -> context.fetch(
                        "select id, step_key, state from job_queue where run_id = ? and kind = 8", run.value())
                .map(row -> new DueWait(
                        new JobId(row.get(0, UUID.class)),
                        run,
                        row.get(1, String.class),
                        row.get(2, Integer.class) == 5))));
    }

    /** Compiles a flow whose steps are handlers, and returns its hash. */
    public String flow(String yaml) {
        return flow(yaml, FlowOptions.NONE);
    }

    /** Compiles a flow whose steps are handlers, replaces its options, and returns its hash. */
    public String flow(String yaml, FlowOptions options) {
        String hash = "flow" + models.size();
        Compilation compilation = FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), yaml));
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            throw new AssertionError(compilation);
        }
        models.put(hash, FlowModel.resolve(with(compiled.flow(), options), Map.of(), new Defaults(TIMEOUT)));
        return hash;
    }

    /** Adds a flow that is built by hand, and returns its hash. */
    public String flow(Step... steps) {
        String hash = "flow" + models.size();
        StepList list = new StepList(List.of(steps), Optional.empty());
        models.put(
                hash,
                FlowModel.resolve(new FlowDefinition("flow", "", List.of(), list), Map.of(), new Defaults(TIMEOUT)));
        return hash;
    }

    private static FlowDefinition with(FlowDefinition flow, FlowOptions options) {
        return options.equals(FlowOptions.NONE)
                ? flow
                : new FlowDefinition(flow.name(), flow.description(), flow.inputs(), flow.steps(), options);
    }

    public NewRun handlerRun(String handler, String input, RetryPolicy retry) {
        JobTarget target = new JobTarget.Handler(handler);
        return new NewRun(
                ids.nextRun(),
                new RunTarget.Job(target),
                handler,
                new Json(input),
                asked(new JobOptions(target.defaultTag(), 0, TIMEOUT, retry)));
    }

    public NewRun flowRun(String hash, String input) {
        return new NewRun(
                ids.nextRun(),
                new RunTarget.FlowRun(hash),
                "flow",
                new Json(input),
                asked(new JobOptions("flow", 0, TIMEOUT, RetryPolicy.NONE)));
    }

    private static RunOptions asked(JobOptions job) {
        return new RunOptions(job, Optional.empty(), "", KeptOptions.NONE);
    }

    public RunId submit(OneScheduler scheduler, NewRun run) {
        submit(scheduler, Optional.empty(), run);
        return run.id();
    }

    public SubmitResult submit(OneScheduler scheduler, Optional<RequestId> request, NewRun run) {
        return scheduler
                .lanes()
                .submit(new Submission(Workspace.DEFAULT, request, List.of(run)))
                .join();
    }

    public void succeed(OneScheduler scheduler, FakeWorker worker, Delivery delivery, String result) {
        end(scheduler, worker, delivery, new AttemptResult.Succeeded(new Json(result)));
    }

    public void end(OneScheduler scheduler, FakeWorker worker, Delivery delivery, AttemptResult result) {
        scheduler
                .lanes()
                .attemptEnded(delivery.lease().job().id(), delivery.lease().token(), result, 1_000, "fake", worker, 0);
    }

    /** The run's finished jobs ordered by key, as step key, status, attempt and result. */
    public List<String> history(RunId run) {
        return database.run(context -> context.fetch(
                        "select step_key || '|' || status || '|' || attempt || '|' || coalesce(result::text, error_name)"
                                + " from job_history where run_id = ? order by step_key collate \"C\"",
                        run.value())
                .getValues(0, String.class));
    }

    /** Ids of a run's finished steps, as run ids. */
    public List<RunId> steps(RunId run) {
        return database.run(
                context -> context.fetch("select id from job_history where run_id = ? and step_key <> ''", run.value())
                        .map(row -> new RunId(row.get("id", UUID.class))));
    }

    public OperationResult operate(OneScheduler scheduler, RunId run, RunOperation operation, String reason) {
        return scheduler
                .operate(run, operation, new OperationNote("tester", reason, ""))
                .join();
    }

    /** The operations on a run, oldest first. */
    public List<String> operations(RunId run) {
        return database.run(context -> context.fetch(
                        "select operation || '|' || actor || '|' || reason || '|' || details::text"
                                + " from run_operation where run_id = ? order by id",
                        run.value())
                .getValues(0, String.class));
    }

    /** Waits until the run has ended. */
    public void awaitEnd(RunId run) {
        CompletableFuture<RunId> ended = events.whenEnded(run);
        if (history(run).stream().noneMatch(row -> row.startsWith("|"))) {
            ended.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        }
        ended.cancel(false);
    }

    /** States of the run's live jobs. */
    public List<JobState> states(RunId run) {
        List<Integer> codes = database.run(
                context -> context.fetch("select state from job_queue where run_id = ? order by state", run.value())
                        .getValues(0, Integer.class));
        return Stream.of(JobState.values())
                .flatMap(state ->
                        codes.stream().filter(code -> code == state.code()).map(_ -> state))
                .toList();
    }

    public int queued() {
        return database.run(context -> context.fetch("select 1 from job_queue").size());
    }

    @Override
    public void close() {
        limiters.forEach(ConcurrencyLimiter::close);
        schedulers.forEach(Lanes::close);
        database.close();
        testDatabase.close();
    }
}
