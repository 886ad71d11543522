package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.CacheUse;
import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FailureFlow;
import dev.millrace.scheduler.flow.core.FinishedStep;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.FlowOptions;
import dev.millrace.scheduler.flow.core.FlowState;
import dev.millrace.scheduler.flow.core.RunLimit;
import dev.millrace.scheduler.flow.core.StartRun;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what begins and ends apart from the steps of a flow: runs that flows start and do not wait for, runs that waited to be
 * started, and runs whose time is over. A run to be started enters the queue in the transaction that asks for it; it is begun later, by
 * whichever scheduler is first.
 */
final class RunStarter {
    /** What a failure flow is to the run whose failure it is started for. */
    private static final String FAILURE_FLOW = "failure_flow";

    private final Planner planner;
    private final LaneContext context;
    private final LaneStore store;
    private final StartStore starts;
    private final ChildStore childStore;
    private final LiveFlows flows;
    private final Batch batch;
    private final CachePlanner caches;
    private final ChildRuns children;

    RunStarter(
            Planner planner, LaneContext context, LaneStore store, LiveFlows flows, Batch batch, ChildRuns children) {
        this.planner = planner;
        this.context = context;
        this.store = store;
        this.starts = new StartStore(store.db());
        this.childStore = new ChildStore(store.db());
        this.flows = flows;
        this.batch = batch;
        this.caches = new CachePlanner(context, store.db(), batch);
        this.children = children;
    }

    /** The decision, and those that follow because the runs it starts are accepted, or results are known, at once. */
    List<Decision> settle(LiveFlow flow, Decision first) throws DatabaseLost {
        List<Decision> decisions = new ArrayList<>(List.of(first));
        for (int i = 0; i < decisions.size(); i++) {
            for (StartRun start : decisions.get(i).runs()) {
                decisions.add(flow.on(new FlowEvent.StepEnded(start.key(), accepted(flow, start))));
            }
            CachePlanner.Answers known = caches.answer(flow, decisions.get(i));
            if (!known.needless().isEmpty()) {
                decisions.set(i, decisions.get(i).withoutJobs(known.needless()));
                known.events().forEach(event -> decisions.add(flow.on(event)));
            }
        }
        return decisions;
    }

    static Optional<Outcome> endOf(List<Decision> decisions) {
        for (Decision decision : decisions) {
            if (decision.end().isPresent()) {
                return decision.end();
            }
        }
        return Optional.empty();
    }

    /** Why jobs that are live at the end of a run are cancelled. */
    private static JobError reasonOf(Outcome end) {
        return end instanceof Outcome.Canceled(JobError reason)
                ? reason
                : JobError.permanent("RunEnded", "The run ended without it.");
    }

    /** Names the limit that a run is under; runs of other flows have others. */
    static String limitKey(QueuedJob root, RunLimit.Limited limit) {
        return root.workspace() + "/" + root.name() + " " + limit.key();
    }

    private Outcome accepted(LiveFlow flow, StartRun start) throws DatabaseLost {
        Outcome outcome = startsNoOther(flow, start) ? new Outcome.Skipped(Json.NULL) : started(flow, start);
        batch.add(
                RecordStepsStatement.SECTION,
                new RecordedStep(
                        context.ids().nextJob(flow.root().run()),
                        flow.root().run(),
                        flow.root().workspace(),
                        JobKind.START_RUN,
                        "",
                        start.flow(),
                        start.key().text(),
                        start.input(),
                        outcome));
        return outcome;
    }

    /** A failure flow that fails starts no other: it might go on without end. */
    private boolean startsNoOther(LiveFlow flow, StartRun start) throws DatabaseLost {
        return start.isFailureFlow() && childStore.isFailureFlow(flow.root().run());
    }

    private Outcome started(LiveFlow flow, StartRun start) {
        String relation = start.isFailureFlow() ? FAILURE_FLOW : "start_run";
        RunId child = children.start(
                flow, start.flow(), start.input(), relation, start.key().text());
        return new Outcome.Succeeded(new Json("{\"run_id\":\"" + child + "\"}"));
    }

    /** What the end of a flow ends, and lets begin: its failure flow, and runs that waited for it. */
    void ended(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {
        if (leavesJobs) {
            batch.add(CancelJobsStatement.SECTION, new CanceledRun(flow.root().run(), reasonOf(outcome)));
        }
        children.ends(flow, leavesJobs);
        FlowOptions options = flow.model().definition().options();
        batch.startsFollow |= options.concurrency().isPresent();
        if (outcome instanceof Outcome.Failed(JobError error)
                && options.failureFlow().isPresent()
                && !childStore.isFailureFlow(flow.root().run())) {
            FailureFlow next = options.failureFlow().get();
            Json input = next.inputOf(flow.root().run(), error, flow.input());
            children.start(flow, next.path(), input, FAILURE_FLOW, "");
        }
    }

    /** Begins a run that is still to be started, if it is its turn. */
    void start(StartPendingRun item) throws DatabaseLost {
        Optional<WaitingRun> found = starts.findToStart(item.start().run())
                .filter(waiting -> waiting.version() == item.start().version());
        Duration wait = found.isPresent() ? start(found.get(), item.start()) : Duration.ZERO;
        batch.afterCommit.add(() -> item.answer().complete(Optional.of(wait).filter(Duration::isPositive)));
    }

    /** Tells how long the run has to wait for its rate. */
    private Duration start(WaitingRun waiting, RunStart start) throws DatabaseLost {
        return switch (start) {
            case RunStart.Begun begun -> start(waiting, begun);
            case RunStart.Failed(RunId _, long _, JobError error) -> fail(waiting, error, "", Json.EMPTY_OBJECT);
        };
    }

    /** Results of whole flows that are kept. */
    CachePlanner caches() {
        return caches;
    }

    private Duration start(WaitingRun waiting, RunStart.Begun begun) throws DatabaseLost {
        // What was put into the queue with its flow has been looked up then, or is to run in any case.
        boolean isFresh = waiting.root().target().isEmpty();
        if (isFresh && begun.keys().cache() instanceof CacheUse.Asking.Asked(CacheUse use)) {
            Optional<Json> known = caches.findRun(waiting.root(), begun.flowHash(), use);
            if (known.isPresent()) {
                batch.add(MarkCachedStatement.SECTION, waiting.root().id());
                return end(waiting, begun.flowHash(), begun.input(), new Outcome.Succeeded(known.get()));
            }
        }
        return switch (begun.keys().limit()) {
            case RunLimit.None _ -> begin(waiting, begun);
            case RunLimit.Unusable unusable -> fail(waiting, unusable.error(), begun.flowHash(), begun.input());
            case RunLimit.Limited limited -> {
                Optional<Turn> turn =
                        waiting.limitKey().map(key -> new Turn(key, begun.run(), limited.runsMax(), limited.rate()));
                yield turn.isPresent()
                        ? beginInTurn(waiting, begun, turn.get())
                        : joinLine(new LinedRun(begun.run(), waiting.version(), limitKey(waiting.root(), limited)));
            }
        };
    }

    /** Nobody has known so far that the run is under a limit: it is looked at again in its line. */
    private Duration joinLine(LinedRun run) {
        batch.add(JoinLinesStatement.SECTION, run);
        batch.startsFollow = true;
        return Duration.ZERO;
    }

    /** Begins the run where it is its turn. One batch begins only one run of a limit. */
    private Duration beginInTurn(WaitingRun waiting, RunStart.Begun begun, Turn turn) throws DatabaseLost {
        boolean isTaken = batch.rows(TakeTurnsStatement.SECTION).stream()
                .anyMatch(other -> other.limitKey().equals(turn.limitKey()));
        if (isTaken || !starts.isNext(turn)) {
            return Duration.ZERO;
        }
        if (turn.isRated()) {
            Duration wait = starts.untilRoom(turn.limitKey(), turn.rate().orElseThrow());
            if (wait.isPositive()) {
                return wait;
            }
        }
        batch.add(TakeTurnsStatement.SECTION, turn);
        if (turn.isCounted()) {
            batch.add(CheckTurnsStatement.SECTION, turn);
        }
        if (turn.isRated()) {
            batch.add(NoteTurnsStatement.SECTION, turn);
        }
        batch.startsFollow = true;
        return begin(waiting, begun);
    }

    private Duration begin(WaitingRun waiting, RunStart.Begun begun) throws DatabaseLost {
        List<FinishedStep> rows = store.journal(begun.run());
        LiveFlow flow = flows.fresh(begun.run(), () -> {
            FlowState state = FlowState.fold(begun.model(), begun.run(), begun.input(), rows, Set.of());
            QueuedJob root = withTarget(waiting.root(), begun.flowHash());
            return new LiveFlow(root, begun.model(), state, waiting.version(), false, begun.keys());
        });
        batch.add(
                BeginRunsStatement.SECTION,
                new BegunRun(
                        begun.run(),
                        waiting.version(),
                        begun.flowHash(),
                        begun.input(),
                        begun.model().definition().options().timeout()));
        flows.put(flow);
        caches.keepRun(flow);
        planner.follow(flow, flow.reopen());
        return Duration.ZERO;
    }

    private Duration fail(WaitingRun waiting, JobError error, String flowHash, Json input) {
        return end(waiting, flowHash, input, new Outcome.Failed(error));
    }

    private Duration end(WaitingRun waiting, String flowHash, Json input, Outcome outcome) {
        RunId run = waiting.root().run();
        batch.add(BeginRunsStatement.SECTION, new BegunRun(run, waiting.version(), flowHash, input, Optional.empty()));
        batch.transition(run, waiting.version() + 1, Optional.of(outcome));
        batch.endedRuns.put(run, outcome);
        children.ends(waiting.root());
        return Duration.ZERO;
    }

    /** Ends a run whose time is over. */
    void expire(ExpireRun item) throws DatabaseLost {
        RunId run = item.run();
        if (!batch.endedRuns.containsKey(run) && starts.isOverdue(run)) {
            Optional<LiveFlow> flow = planner.findFlow(run);
            if (flow.isPresent()) {
                String limit = flow.get()
                        .model()
                        .definition()
                        .options()
                        .timeout()
                        .map(Object::toString)
                        .orElse("");
                planner.follow(
                        flow.get(),
                        flow.get()
                                .fail(JobError.permanent(
                                        "TimedOut", "The run took longer than its flow allows" + phrase(limit) + ".")));
            }
        }
        batch.afterCommit.add(() -> item.answer().complete(null));
    }

    private static String phrase(String limit) {
        return limit.isEmpty() ? "" : " (" + limit.substring(2).toLowerCase(java.util.Locale.ROOT) + ")";
    }

    private static QueuedJob withTarget(QueuedJob root, String flowHash) {
        return new QueuedJob(
                root.id(),
                root.run(),
                root.workspace(),
                root.kind(),
                flowHash,
                root.name(),
                "",
                root.options(),
                root.orderKey(),
                root.attempt(),
                root.losses(),
                root.traceparent());
    }
}
