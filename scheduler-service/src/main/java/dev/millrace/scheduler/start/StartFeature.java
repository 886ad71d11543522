package dev.millrace.scheduler.start;

import dev.millrace.scheduler.child.ChildFeature;
import dev.millrace.scheduler.child.ChildStore;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunEnding;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.RunLimit;
import dev.millrace.scheduler.flow.core.machine.StartRun;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.DueTimeSet;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlowVersions;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.RecordedStep;
import dev.millrace.scheduler.lane.RunAccepted;
import dev.millrace.scheduler.lane.RunsToStart;
import dev.millrace.scheduler.queue.RunRelation;
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
 * Begins and ends runs apart from their steps: starts runs that no step waits for, begins pending runs, and expires
 * runs. A run to be started enters the queue in the transaction that requests it. The first scheduler that finds the
 * run later begins it.
 */
public final class StartFeature implements LaneFeature {
    private final FlushPlan plan;
    private final LaneContext context;
    private final LaneStartStore store;
    private final ChildStore children;

    public StartFeature(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
        this.store = new LaneStartStore(plan.store().db());
        this.children = new ChildStore(plan.store().db());
    }

    /** Makes a run under a limit wait for its turn. */
    @Override
    public Optional<Admission> admit(QueuedJob root, RunKeys keys) {
        return switch (keys.limit()) {
            case RunLimit.None _ -> Optional.empty();
            case RunLimit.Limited limited -> Optional.of(new Admission.Waits(limitKey(root, limited)));
            case RunLimit.Unusable(JobError error) -> Optional.of(new Admission.Failed(error));
        };
    }

    /** Accepts the runs that a decision starts and no step waits for. */
    @Override
    public Answers answer(LiveFlow flow, Decision decision) throws DatabaseLost {
        if (decision.runs().isEmpty()) {
            return Answers.NONE;
        }
        List<FlowEvent> events = new ArrayList<>();
        for (StartRun start : decision.runs()) {
            events.add(new FlowEvent.StepEnded(start.key(), accepted(flow, start)));
        }
        return new Answers(Set.of(), events);
    }

    /** Returns the name of the limit that a run is under. Runs of other flows have other limits. */
    public static String limitKey(QueuedJob root, RunLimit.Limited limit) {
        return root.workspace().name() + "/" + root.name() + " " + limit.key();
    }

    private Outcome accepted(LiveFlow flow, StartRun start) throws DatabaseLost {
        Outcome outcome = startsNoOther(flow, start) ? new Outcome.Skipped(Json.NULL) : started(flow, start);
        plan.record(new RecordedStep(
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

    /**
     * Returns whether the run must not be started. A failure flow that fails starts no further failure flow, because
     * the chain might never end.
     */
    private boolean startsNoOther(LiveFlow flow, StartRun start) throws DatabaseLost {
        return start.isFailureFlow() && children.isFailureFlow(flow.root().run());
    }

    private Outcome started(LiveFlow flow, StartRun start) {
        RunRelation relation = start.isFailureFlow() ? RunRelation.FAILURE_FLOW : RunRelation.START_RUN;
        RunId child = plan.feature(ChildFeature.class)
                .start(flow, start.flow(), start.input(), relation, start.key().text());
        return new Outcome.Succeeded(new Json("{\"run_id\":\"" + child + "\"}"));
    }

    /** Starts the failure flow of a flow that has failed, and wakes runs that wait for the end of this one. */
    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {
        if (flow.model().definition().options().concurrency().isPresent()) {
            plan.publish(new RunsToStart());
        }
        RunId run = flow.root().run();
        Optional<RunEnding.FailureRun> next = RunEnding.failureRun(flow.model(), run, flow.input(), outcome);
        if (next.isPresent() && !children.isFailureFlow(run)) {
            plan.feature(ChildFeature.class)
                    .start(flow, next.get().flow(), next.get().input(), RunRelation.FAILURE_FLOW, "");
        }
    }

    @Override
    public void written(Effects effects) {
        plan.rows(BeginRunsStatement.SECTION)
                .forEach(run -> run.timeout().ifPresent(_ -> plan.publish(new DueTimeSet())));
    }

    /** Begins a pending run, if it is its turn. */
    void start(StartPendingRun item) throws DatabaseLost {
        Optional<WaitingRun> found = store.findToStart(item.start().run())
                .filter(waiting -> waiting.version() == item.start().version());
        Duration wait = found.isPresent() ? start(found.get(), item.start()) : Duration.ZERO;
        plan.afterCommit(() -> item.answer().complete(Optional.of(wait).filter(Duration::isPositive)));
    }

    /** Begins a run that this scheduler has just accepted, from memory alone. */
    void begin(BeginAcceptedRun item) throws DatabaseLost {
        RunAccepted accepted = item.accepted();
        QueuedJob root = accepted.root();
        LiveFlow flow = plan.flows().live().fresh(root.run(), () -> item.newFlow(context.ids()));
        WaitingRun waiting = new WaitingRun(root, WaitingRun.FIRST_VERSION, Optional.empty(), false);
        RunStart.Begun begun = new RunStart.Begun(
                root.run(), waiting.version(), root.target(), accepted.model(), accepted.input(), flow.keys());
        Optional<Outcome> known = known(waiting, begun);
        if (known.isPresent()) {
            end(waiting, begun, known.get());
            return;
        }
        switch (flow.keys().limit()) {
            case RunLimit.None _ -> begin(waiting, begun, flow);
            case RunLimit.Unusable unusable -> fail(waiting, unusable.error(), begun);
            case RunLimit.Limited limited ->
                joinLimitQueue(new LimitedRun(root.run(), waiting.version(), limitKey(root, limited)));
        }
    }

    /** Begins or fails a run. Returns how long the run must wait for its rate. */
    private Duration start(WaitingRun waiting, RunStart start) throws DatabaseLost {
        return switch (start) {
            case RunStart.Begun begun -> start(waiting, begun);
            case RunStart.Canceled(RunId _, long _, JobError reason) ->
                end(waiting, Optional.empty(), Optional.empty(), new Outcome.Canceled(reason));
            case RunStart.Failed(RunId _, long _, JobError error) ->
                end(waiting, Optional.empty(), Optional.empty(), new Outcome.Failed(error));
        };
    }

    private Duration start(WaitingRun waiting, RunStart.Begun begun) throws DatabaseLost {
        if (isFresh(waiting)) {
            Optional<Outcome> known = known(waiting, begun);
            if (known.isPresent()) {
                return end(waiting, begun, known.get());
            }
        }
        return switch (begun.keys().limit()) {
            case RunLimit.None _ -> begin(waiting, begun);
            case RunLimit.Unusable unusable -> fail(waiting, unusable.error(), begun);
            case RunLimit.Limited limited -> {
                Optional<RunAdmission> admission = waiting.limitKey()
                        .map(key -> new RunAdmission(key, begun.run(), limited.runsMax(), limited.rate()));
                yield admission.isPresent()
                        ? beginIfAdmitted(waiting, begun, admission.get())
                        : joinLimitQueue(
                                new LimitedRun(begun.run(), waiting.version(), limitKey(waiting.root(), limited)));
            }
        };
    }

    /**
     * Whether nobody has looked up whether the outcome of the run is known. A run under a limit was looked up before it
     * joined the line; a debounced run, a retried run, or the repetition of another run, is executed in any case.
     */
    private boolean isFresh(WaitingRun waiting) throws DatabaseLost {
        QueuedJob root = waiting.root();
        return root.target().isEmpty()
                || (waiting.limitKey().isEmpty()
                        && !waiting.isDebounced()
                        && !FlowVersions.isOfRetry(waiting.version())
                        && !store.repeatsRun(root.run()));
    }

    /** The outcome of a run of which nothing need be executed; empty for all others. */
    private Optional<Outcome> known(WaitingRun waiting, RunStart.Begun begun) throws DatabaseLost {
        return plan.flows()
                .lookUp(waiting.root(), begun.flowHash(), begun.keys())
                .map(admission -> switch (admission) {
                    case Admission.Known(Outcome end) -> end;
                    case Admission.Failed(JobError error) -> new Outcome.Failed(error);
                    case Admission.Waits waits -> throw new IllegalStateException(waits + " is no outcome");
                });
    }

    /** Adds a run to the queue of its limit, which was not known before. The run is considered again in this queue. */
    private Duration joinLimitQueue(LimitedRun run) {
        plan.add(JoinLimitQueuesStatement.SECTION, run);
        plan.publish(new RunsToStart());
        return Duration.ZERO;
    }

    /** Begins a run if it is its turn. A flush begins only one run per limit. */
    private Duration beginIfAdmitted(WaitingRun waiting, RunStart.Begun begun, RunAdmission admission)
            throws DatabaseLost {
        boolean isTaken = plan.rows(LockLimitsStatement.SECTION).stream()
                .anyMatch(other -> other.limitKey().equals(admission.limitKey()));
        if (isTaken || !store.isNext(admission)) {
            return Duration.ZERO;
        }
        if (admission.isRated()) {
            Duration wait =
                    store.untilRoom(admission.limitKey(), admission.rate().orElseThrow());
            if (wait.isPositive()) {
                return wait;
            }
        }
        plan.add(LockLimitsStatement.SECTION, admission);
        if (admission.isCounted()) {
            plan.add(CheckAdmissionsStatement.SECTION, admission);
        }
        if (admission.isRated()) {
            plan.add(NoteAdmissionsStatement.SECTION, admission);
        }
        plan.publish(new RunsToStart());
        return begin(waiting, begun);
    }

    private Duration begin(WaitingRun waiting, RunStart.Begun begun) throws DatabaseLost {
        List<FinishedStep> rows = plan.store().journal(begun.run());
        LiveFlow flow = plan.flows().live().fresh(begun.run(), () -> {
            FlowState state = FlowFold.of(begun.model(), begun.run(), begun.input(), rows, Set.of());
            QueuedJob root = withTarget(waiting.root(), begun.flowHash());
            return new LiveFlow(root, begun.model(), state, waiting.version(), false, context.ids(), begun.keys());
        });
        return begin(waiting, begun, flow);
    }

    private Duration begin(WaitingRun waiting, RunStart.Begun begun, LiveFlow flow) throws DatabaseLost {
        plan.add(
                BeginRunsStatement.SECTION,
                new BegunRun(
                        begun.run(),
                        waiting.version(),
                        Optional.of(begun.flowHash()),
                        Optional.of(begun.input()),
                        begun.model().definition().options().timeout()));
        plan.flows().remember(flow);
        plan.begins(flow);
        plan.flows().follow(flow, flow.reopen());
        return Duration.ZERO;
    }

    private Duration fail(WaitingRun waiting, JobError error, RunStart.Begun begun) {
        return end(waiting, begun, new Outcome.Failed(error));
    }

    private Duration end(WaitingRun waiting, RunStart.Begun begun, Outcome outcome) {
        return end(waiting, Optional.of(begun.flowHash()), Optional.of(begun.input()), outcome);
    }

    private Duration end(WaitingRun waiting, Optional<String> flowHash, Optional<Json> input, Outcome outcome) {
        RunId run = waiting.root().run();
        plan.add(BeginRunsStatement.SECTION, new BegunRun(run, waiting.version(), flowHash, input, Optional.empty()));
        plan.transitions(run, waiting.version() + 1, 1, Optional.of(outcome));
        plan.endIdle(run, outcome);
        return Duration.ZERO;
    }

    /** Fails a run whose time limit has expired. */
    void expire(ExpireRun item) throws DatabaseLost {
        RunId run = item.run();
        if (!plan.ends(run) && store.isOverdue(run)) {
            Optional<LiveFlow> flow = plan.flows().findFlow(run);
            if (flow.isPresent()) {
                plan.flows()
                        .follow(
                                flow.get(),
                                flow.get().fail(RunEnding.timedOut(flow.get().model())));
            }
        }
        plan.afterCommit(() -> item.answer().complete(null));
    }

    private static QueuedJob withTarget(QueuedJob root, String flowHash) {
        return new QueuedJob(
                root.id(),
                root.run(),
                root.workspace(),
                root.kind(),
                flowHash,
                root.name(),
                root.options(),
                root.orderKey(),
                root.attempt(),
                root.losses(),
                root.traceparent());
    }
}
