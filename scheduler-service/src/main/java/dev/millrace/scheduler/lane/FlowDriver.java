package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.flow.core.machine.StepRecord;
import dev.millrace.scheduler.flow.core.machine.Withdrawal;
import dev.millrace.scheduler.lane.LaneFeature.Admission;
import dev.millrace.scheduler.queue.core.ClaimOrder;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Moves flows and carries out their decisions: the part of a flush that deals with runs. */
public final class FlowDriver {
    private final FlushPlan plan;
    private final LaneContext context;
    private final LiveFlows flows;
    private final FlowLoader loader;

    FlowDriver(FlushPlan plan, LiveFlows flows) {
        this.plan = plan;
        this.context = plan.context();
        this.flows = flows;
        this.loader = new FlowLoader(plan.store());
    }

    /** The flows in the lane's memory. */
    public LiveFlows live() {
        return flows;
    }

    /** Loads the flows that commands are about to move, in one round trip. */
    public void load(List<LaneCommand> commands) throws DatabaseLost {
        loader.loadMissing(commands, context.leases(), flows);
    }

    /** Accepts a requested run, or ends it at once if its result is known. */
    void submit(LiveFlow flow, Json input, Optional<Duration> delay) throws DatabaseLost {
        if (flow.isUndecided()) {
            acceptUndecided(flow, input, delay, true);
            return;
        }
        QueuedJob root = flow.root();
        Optional<Admission> known = lookUp(root, root.target(), flow.keys());
        if (known.isEmpty()) {
            accept(flow, input, delay);
        } else {
            switch (known.get()) {
                case Admission.Known(Outcome end) -> {
                    recordEnd(root, input, end);
                    plan.end(root.run(), end);
                }
                case Admission.Failed(JobError error) -> begin(flow, input, flow.fail(error), delay);
                case Admission.Waits(String admissionQueue) -> await(root, input, admissionQueue, delay);
            }
        }
    }

    /** Asks the features about a run before it begins; empty if none of them decides about the run. */
    public Optional<Admission> lookUp(QueuedJob root, String flowHash, RunKeys keys) throws DatabaseLost {
        for (LaneFeature feature : plan.features()) {
            Optional<Admission> known = feature.lookUp(root, flowHash, keys);
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.empty();
    }

    /** Accepts the root job of a new flow. The run begins, or waits for its turn. */
    public void accept(LiveFlow flow, Json input, Optional<Duration> delay) throws DatabaseLost {
        if (flow.isUndecided()) {
            acceptUndecided(flow, input, delay, false);
            return;
        }
        QueuedJob root = flow.root();
        for (LaneFeature feature : plan.features()) {
            feature.accepted(flow);
        }
        plan.begins(flow);
        Optional<Admission> objection = objection(flow);
        if (objection.isPresent()) {
            switch (objection.get()) {
                case Admission.Known(Outcome end) -> throw new IllegalStateException(end + " is no objection");
                case Admission.Failed(JobError error) -> begin(flow, input, flow.fail(error), delay);
                case Admission.Waits(String admissionQueue) -> await(root, input, admissionQueue, delay);
            }
        } else {
            begin(flow, input, flow.reopen(), delay);
        }
    }

    /**
     * Accepts a run as a pending one, so that it is durable before its first decision. If it may begin at once, the
     * decision follows the commit.
     */
    private void acceptUndecided(LiveFlow flow, Json input, Optional<Duration> delay, boolean isNew) {
        Optional<Duration> wait = delay.filter(Duration::isPositive);
        plan.jobs().enqueue(new EnqueuedJob(flow.root(), input, Optional.empty(), wait, false, Optional.empty()));
        if (wait.isPresent()) {
            plan.publish(new RunsToStart());
        } else {
            RunAccepted accepted = new RunAccepted(flow.root(), input, flow.model(), flow.version(), isNew);
            plan.afterCommit(() -> context.bus().publish(accepted));
        }
    }

    private Optional<Admission> objection(LiveFlow flow) {
        for (LaneFeature feature : plan.features()) {
            Optional<Admission> objection = feature.admit(flow.root(), flow.keys());
            if (objection.isPresent()) {
                return objection;
            }
        }
        return Optional.empty();
    }

    private void await(QueuedJob root, Json input, String admissionQueue, Optional<Duration> delay) {
        plan.jobs()
                .enqueue(new EnqueuedJob(
                        root,
                        input,
                        Optional.empty(),
                        delay.filter(Duration::isPositive),
                        false,
                        Optional.empty(),
                        Optional.of(admissionQueue)));
        plan.publish(new RunsToStart());
    }

    private void begin(LiveFlow flow, Json input, Decision first, Optional<Duration> delay) throws DatabaseLost {
        QueuedJob root = flow.root();
        List<Decision> decisions = settle(flow, first);
        Optional<Outcome> end = endOf(decisions);
        if (end.isPresent()) {
            recordEnd(root, input, end.get());
            ended(flow, end.get(), decisions.size() > 1);
        } else {
            plan.jobs()
                    .enqueue(new EnqueuedJob(
                            root,
                            input,
                            Optional.empty(),
                            flow.model()
                                    .definition()
                                    .options()
                                    .timeout()
                                    .map(time -> time.plus(delay.orElse(Duration.ZERO))),
                            false,
                            Optional.of(flow.version())));
            remember(flow);
        }
        for (Decision decision : decisions) {
            carryOut(flow, decision, delay, true);
        }
    }

    /** Remembers a flow that is new in this flush. */
    public void remember(LiveFlow flow) {
        flows.put(flow);
        plan.addFlow(flow.root().run());
    }

    /** Records a flow that ends as it is accepted. */
    private void recordEnd(QueuedJob root, Json input, Outcome outcome) {
        plan.record(new RecordedStep(
                root.id(), root.run(), root.workspace(), JobKind.FLOW, root.target(), root.name(), "", input, outcome));
    }

    /**
     * Returns the decision and its successors. A decision has a successor if a request of it is done or known at once.
     */
    private List<Decision> settle(LiveFlow flow, Decision first) throws DatabaseLost {
        List<Decision> decisions = new ArrayList<>(List.of(first));
        for (int i = 0; i < decisions.size(); i++) {
            for (LaneFeature feature : plan.features()) {
                LaneFeature.Answers answers = feature.answer(flow, decisions.get(i));
                if (!answers.needless().isEmpty()) {
                    decisions.set(i, decisions.get(i).withoutJobs(answers.needless()));
                }
                for (FlowEvent event : answers.events()) {
                    decisions.add(flow.on(event));
                }
            }
        }
        return decisions;
    }

    private static Optional<Outcome> endOf(List<Decision> decisions) {
        for (Decision decision : decisions) {
            if (decision.end().isPresent()) {
                return decision.end();
            }
        }
        return Optional.empty();
    }

    /** Plans everything that follows the end of a flow. */
    private void ended(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {
        RunId run = flow.root().run();
        plan.end(run, outcome);
        if (leavesJobs) {
            plan.cancelJobs(run, reasonOf(outcome));
        }
        for (LaneFeature feature : plan.features()) {
            feature.runEnds(flow, outcome, leavesJobs);
        }
        flow.model().erasures().forEach(keys -> plan.add(EraseStepsStatement.SECTION, new ErasedSteps(run, keys)));
    }

    /** Reason for the cancellation of jobs that are live at the end of their run. */
    private static JobError reasonOf(Outcome end) {
        return end instanceof Outcome.Canceled(JobError reason)
                ? reason
                : JobError.permanent("RunEnded", "The run ended without it.");
    }

    /** The flow in progress, from memory or from the database. */
    public Optional<LiveFlow> findFlow(RunId run) throws DatabaseLost {
        Optional<LiveFlow> known = flows.find(run);
        if (known.isPresent()) {
            return known;
        }
        Optional<LiveFlow> loaded =
                Optional.ofNullable(loader.load(List.of(run)).get(run));
        loaded.ifPresent(flows::put);
        return loaded;
    }

    /** Moves the run's flow. Returns false if the run has no flow in progress. */
    boolean advance(RunId run, FlowEvent event) throws DatabaseLost {
        if (plan.ends(run)) {
            return false;
        }
        Optional<LiveFlow> found = findFlow(run);
        if (found.isEmpty()) {
            return false;
        }
        LiveFlow flow = found.get();
        if (event instanceof FlowEvent.StepEnded(StepKey step, Outcome outcome)) {
            for (LaneFeature feature : plan.features()) {
                feature.stepEnds(flow, step, outcome);
            }
        }
        Decision decision = flow.on(event);
        follow(flow, decision);
        return true;
    }

    /** Fails the run now, if it has a flow in progress. */
    void fail(RunId run, JobError error) throws DatabaseLost {
        Optional<LiveFlow> flow = plan.ends(run) ? Optional.empty() : findFlow(run);
        if (flow.isPresent()) {
            follow(flow.get(), flow.get().fail(error));
        }
    }

    /** Whether the step is live. Reads the database if memory says that it is not. */
    public boolean isLive(RunId run, StepKey key) throws DatabaseLost {
        return findFlow(run, flow -> flow.isLive(key))
                .filter(flow -> flow.isLive(key))
                .isPresent();
    }

    /**
     * The run's flow, read again if the remembered one is not as expected: another scheduler may have moved it. A
     * command that only rejects something would not notice, as it writes nothing.
     */
    public Optional<LiveFlow> findFlow(RunId run, Predicate<LiveFlow> expected) throws DatabaseLost {
        Optional<LiveFlow> known = findFlow(run);
        if (known.filter(expected).isPresent() || plan.moves(run)) {
            return known;
        }
        flows.forget(run);
        return findFlow(run);
    }

    /** Makes a transition of an existing flow. */
    public void follow(LiveFlow flow, Decision first) throws DatabaseLost {
        List<Decision> decisions = settle(flow, first);
        Optional<Outcome> end = endOf(decisions);
        plan.transitions(flow.root().run(), flow.version(), decisions.size(), end);
        if (end.isPresent()) {
            ended(flow, end.get(), flow.leavesJobs() || decisions.size() > 1);
        }
        for (Decision decision : decisions) {
            carryOut(flow, decision, Optional.empty(), false);
        }
    }

    /**
     * Notes a change of the run outside the flow's state. The new version makes others that rely on the old one look
     * again.
     */
    public void touch(LiveFlow flow) {
        flow.touch();
        plan.transitions(flow.root().run(), flow.version(), 1, Optional.empty());
    }

    private void carryOut(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew)
            throws DatabaseLost {
        QueuedJob root = flow.root();
        for (StepRecord step : decision.records()) {
            plan.record(new RecordedStep(
                    context.ids().nextJob(root.run()),
                    root.run(),
                    root.workspace(),
                    step.kind(),
                    "",
                    "",
                    step.key().text(),
                    step.input(),
                    step.outcome()));
        }
        if (!decision.withdrawals().isEmpty()) {
            plan.stepsLeave(flow);
        }
        for (Withdrawal gone : decision.withdrawals()) {
            plan.withdraw(root.run(), gone);
        }
        for (LaneFeature feature : plan.features()) {
            feature.decided(flow, decision, delay, isNew);
        }
        int inProgress = Math.max(0, flow.jobsInProgress() - decision.jobs().size());
        for (StartJob job : decision.jobs()) {
            plan.jobs().place(step(flow, job, inProgress++), job.input(), delay, flow.isHeld());
        }
        for (LaneFeature feature : plan.features()) {
            feature.jobsPlaced(flow);
        }
    }

    private QueuedJob step(LiveFlow flow, StartJob job, int inProgress) throws DatabaseLost {
        QueuedJob root = flow.root();
        QueuedJob queued = plan.jobs()
                .routed(new QueuedJob(
                        job.id().orElseGet(() -> context.ids().nextJob(root.run())),
                        root.run(),
                        root.workspace(),
                        JobKind.of(job.target()),
                        job.target().key(),
                        job.name(),
                        root.folder(),
                        job.key().text(),
                        job.options(),
                        ClaimOrder.keyOf(root.orderKey(), inProgress),
                        job.attempt(),
                        Losses.NONE,
                        root.traceparent(),
                        Optional.empty()));
        for (LaneFeature feature : plan.features()) {
            queued = feature.placing(flow, job, queued);
        }
        if (job.attempt() > 1) {
            plan.add(RaiseAttemptsStatement.SECTION, queued);
        }
        return queued;
    }
}
