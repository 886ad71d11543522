package dev.millrace.scheduler.child;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunEnding;
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
import dev.millrace.scheduler.option.InheritStartersStatement;
import dev.millrace.scheduler.option.StartedRun;
import dev.millrace.scheduler.queue.RunRelation;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs that steps of other runs start, as a feature of the lane.
 *
 * <p>A run that a step waits for enters the queue in the transaction that begins the wait. When this child run ends,
 * its transaction leaves a note; so does the end of a wait whose child run is still live. The two runs may belong to
 * different lanes, and whoever finds the note tells the other run.
 *
 * <p>A parent is told only once: ending the wait deletes its row from the queue, and each child run has only one such
 * row.
 */
public final class ChildFeature implements LaneFeature {
    /** Tag of the root job of a flow, which no worker takes. */
    private static final String FLOW_TAG = "flow";
    /** Tag of the root jobs of child runs, for which other runs wait. */
    private static final String AWAITED_TAG = "awaited_flow";

    private final FlushPlan plan;
    private final LaneContext context;
    private final ChildStore store;
    /** Whether this flush may remove waits for child runs that have not ended. */
    private boolean abandonsRuns;
    /** Runs that await child runs, and whose steps leave the queue without having ended. */
    private final List<RunId> losingSteps = new ArrayList<>();

    public ChildFeature(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
        this.store = new ChildStore(plan.store().db());
    }

    /** Enqueues a run that no step waits for. */
    public RunId start(LiveFlow flow, String path, Json input, RunRelation relation, String stepKey) {
        QueuedJob parent = flow.root();
        RunId run = flow.nextStarted(context.ids()::nextRun);
        enqueue(root(run, parent, path, FLOW_TAG), input, Optional.empty());
        plan.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(run, parent.run(), relation, stepKey, Optional.empty(), 0));
        plan.add(InheritStartersStatement.SECTION, new StartedRun(run, parent.run()));
        return run;
    }

    /** Begins the child runs that steps wait for. */
    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) throws DatabaseLost {
        for (StartWait wait : decision.waits()) {
            if (wait.until() instanceof StartWait.Until.RunEnded awaited) {
                await(flow.root(), wait, awaited, delay);
            }
        }
    }

    /** Enqueues a child run that a step waits for. The step fails if the run would be too deep. */
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
            waits.end(new EndedWait(id, parent.run(), wait.key().text(), RunEnding.tooDeep()));
            return;
        }
        enqueue(root(run, parent, awaited.flow(), AWAITED_TAG), awaited.input(), delay);
        plan.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(
                        run, parent.run(), RunRelation.CHILD_RUN, wait.key().text(), Optional.of(id), depth));
        plan.add(InheritStartersStatement.SECTION, new StartedRun(run, parent.run()));
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
                new JobOptions(tag, parent.options().priority(), JobOptions.TIMEOUT_LIMIT, RetryPolicy.NONE),
                run.orderKey(),
                1,
                Losses.NONE,
                parent.traceparent());
    }

    /** Returns whether another run waits, or has waited, for the run with this root. */
    private static boolean isAwaited(QueuedJob root) {
        return root.options().tag().equals(AWAITED_TAG);
    }

    /** Notes that the parent of the run must be told, and that the run no longer waits for its own child runs. */
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

    /** Notes the end of the run, because another run may be waiting for it. */
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

    /** Ends the wait for a child run that has ended, unless the wait has ended before. */
    void ended(EndChildWait item) throws DatabaseLost {
        EndedChild end = item.found();
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
