package dev.millrace.scheduler.child;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.EnqueuedJob;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.RecordOriginsStatement;
import dev.millrace.scheduler.lane.RunOrigin;
import dev.millrace.scheduler.lane.RunsToStart;
import dev.millrace.scheduler.lane.WithdrawStepsStatement;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.EndWaitsStatement;
import dev.millrace.scheduler.signal.EndedWait;
import dev.millrace.scheduler.signal.WaitFeature;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Runs that other runs begin. A run that a step waits for enters the queue in the transaction
 * that begins the wait. Its end leaves a note in the transaction that ends it, and so does a wait that goes before it: the two runs may be
 * in different lanes, and whoever finds the note tells the other one. A run is told once: the end of the wait takes its row out of the
 * queue, and there is only one row for each run that is waited for.
 */
public final class ChildFeature implements LaneFeature {
    /** Tag of the root job of a flow, which no worker takes. */
    private static final String FLOW_TAG = "flow";
    /** The same where another run waits for its end. */
    private static final String AWAITED_TAG = "awaited_flow";

    private final FlushPlan plan;
    private final LaneContext context;
    private final ChildStore store;
    /** Whether waits for runs may leave the queue that have not ended. */
    private boolean abandonsRuns;
    /** Runs with steps that await runs, of which steps leave the queue that have not ended. */
    private final Set<RunId> losingSteps = new HashSet<>();

    public ChildFeature(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
        this.store = new ChildStore(plan.store().db());
    }

    /** Why a run cannot be begun, as so many wait for one another above it. */
    private static Outcome tooDeep() {
        return new Outcome.Failed(JobError.permanent(
                "RunsTooDeep",
                "More than " + FlowLimits.CHILD_RUN_DEPTH_MAX
                        + " runs would wait for one another, each begun by a step of the one above. "
                        + "Correct what lets a flow run itself without end, or start runs that nobody waits for."));
    }

    /** Puts a run into the queue that nobody waits for. */
    public RunId start(LiveFlow flow, String path, Json input, RunRelation relation, String stepKey) {
        QueuedJob parent = flow.root();
        RunId run = flow.nextStarted(context.ids()::nextRun);
        enqueue(root(run, parent, path, FLOW_TAG), input, Optional.empty());
        plan.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(run, parent.run(), relation, stepKey, Optional.empty(), 0));
        return run;
    }

    /** Begins the runs for whose end steps wait. */
    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) throws DatabaseLost {
        for (StartWait wait : decision.waits()) {
            if (wait.until() instanceof StartWait.Until.RunEnded awaited) {
                await(flow.root(), wait, awaited, delay);
            }
        }
    }

    /** Puts a run into the queue for which a step waits; the step fails if the run would stand too deep. */
    private void await(QueuedJob parent, StartWait wait, StartWait.Until.RunEnded awaited, Optional<Duration> delay)
            throws DatabaseLost {
        WaitFeature waits = plan.feature(WaitFeature.class);
        int depth = 1 + (isAwaited(parent) ? store.depthOf(parent.run()) : 0);
        boolean isTooDeep = depth > FlowLimits.CHILD_RUN_DEPTH_MAX;
        RunId run = context.ids().nextRun();
        JobId id = waits.begin(
                parent,
                wait.key(),
                JobKind.CHILD_RUN,
                isTooDeep ? "" : run.toString(),
                awaited.flow(),
                awaited.input());
        if (isTooDeep) {
            waits.end(new EndedWait(id, parent.run(), wait.key().text(), tooDeep()));
            return;
        }
        enqueue(root(run, parent, awaited.flow(), AWAITED_TAG), awaited.input(), delay);
        plan.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(
                        run, parent.run(), RunRelation.CHILD_RUN, wait.key().text(), Optional.of(id), depth));
    }

    private void enqueue(QueuedJob root, Json input, Optional<Duration> delay) {
        plan.jobs()
                .enqueue(new EnqueuedJob(
                        root, input, Optional.empty(), delay.filter(Duration::isPositive), false, Optional.empty()));
        plan.publish(new RunsToStart());
    }

    private static QueuedJob root(RunId run, QueuedJob parent, String path, String tag) {
        return new QueuedJob(
                run.rootJob(),
                run,
                parent.workspace(),
                JobKind.FLOW,
                "",
                path,
                "",
                new JobOptions(tag, parent.options().priority(), JobOptions.TIMEOUT_LIMIT, RetryPolicy.NONE),
                run.orderKey(),
                1,
                Losses.NONE,
                parent.traceparent());
    }

    /** Whether another run waits, or waited, for the end of the one with this root. */
    private static boolean isAwaited(QueuedJob root) {
        return root.options().tag().equals(AWAITED_TAG);
    }

    /** Whoever waits for the run is to be told, and nobody waits any more for those it waits for. */
    @Override
    public void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) {
        if (isAwaited(flow.root())) {
            plan.add(NoteChildEndsStatement.SECTION, flow.root().run());
        }
        if (leavesJobs && flow.model().awaitsRuns()) {
            abandonsRuns = true;
            plan.add(
                    NoteAbandonedChildrenStatement.SECTION,
                    LeavingWaits.all(flow.root().run()));
        }
    }

    /** Others may wait for the run. */
    @Override
    public void idleRunEnds(RunId run) {
        plan.add(NoteChildEndsStatement.SECTION, run);
    }

    @Override
    public void stepsLeave(LiveFlow flow) {
        if (flow.model().awaitsRuns()) {
            abandonsRuns = true;
            losingSteps.add(flow.root().run());
        }
    }

    @Override
    public void complete() {
        if (!losingSteps.isEmpty()) {
            plan.rows(WithdrawStepsStatement.SECTION).stream()
                    .filter(step -> losingSteps.contains(step.run()))
                    .forEach(step -> plan.add(NoteAbandonedChildrenStatement.SECTION, LeavingWaits.of(step)));
        }
    }

    @Override
    public void written(Effects effects) {
        if (abandonsRuns || !plan.rows(NoteChildEndsStatement.SECTION).isEmpty()) {
            plan.publish(new ChildrenNoted());
        }
    }

    /** A run has ended for which a step waits, unless it has been told, or waits no longer. */
    void ended(EndChildWait item) throws DatabaseLost {
        EndedChild end = item.end();
        StepKey step = new StepKey(end.stepKey());
        Optional<LiveFlow> parent = stillWaits(end) ? plan.flows().findFlow(end.parent()) : Optional.empty();
        if (parent.isPresent() && plan.flows().isLive(end.parent(), step)) {
            Outcome outcome = parent.get().model().endOf(step, end.child(), end.outcome());
            if (plan.advance(end.parent(), new FlowEvent.StepEnded(step, outcome))) {
                plan.add(EndWaitsStatement.SECTION, new EndedWait(end.waitId(), end.parent(), end.stepKey(), outcome));
            }
        }
        plan.add(SettleChildNotesStatement.SECTION, end.child());
        plan.afterCommit(() -> item.done().complete(null));
    }

    private boolean stillWaits(EndedChild end) throws DatabaseLost {
        return !plan.ends(end.parent())
                && plan.rows(EndWaitsStatement.SECTION).stream()
                        .noneMatch(wait -> wait.id().equals(end.waitId()))
                && plan.store().isQueued(end.waitId());
    }
}
