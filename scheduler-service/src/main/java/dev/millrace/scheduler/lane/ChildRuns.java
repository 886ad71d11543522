package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.flow.core.StartWait;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.queue.EndedChild;
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
import java.time.Duration;
import java.util.Optional;

/**
 * The part of a batch's plan that is about runs which other runs begin. A run that a step waits for enters the queue in the transaction
 * that begins the wait. Its end leaves a note in the transaction that ends it, and so does a wait that goes before it: the two runs may be
 * in different lanes, and whoever finds the note tells the other one. A run is told once: the end of the wait takes its row out of the
 * queue, and there is only one row for each run that is waited for.
 */
final class ChildRuns {
    /** What a run is to the one that waits for its end. */
    private static final String AWAITED = "child_run";
    /** Tag of the root job of a flow, which no worker takes. */
    private static final String FLOW_TAG = "flow";
    /** The same where another run waits for its end. */
    private static final String AWAITED_TAG = "awaited_flow";

    private final Planner planner;
    private final LaneContext context;
    private final LaneStore store;
    private final ChildStore children;
    private final Batch batch;

    ChildRuns(Planner planner, LaneContext context, LaneStore store, Batch batch) {
        this.planner = planner;
        this.context = context;
        this.store = store;
        this.children = new ChildStore(store.db());
        this.batch = batch;
    }

    /** Why a run cannot be begun, as so many wait for one another above it. */
    static Outcome tooDeep() {
        return new Outcome.Failed(JobError.permanent(
                "RunsTooDeep",
                "More than " + FlowLimits.CHILD_RUN_DEPTH_MAX
                        + " runs would wait for one another, each begun by a step of the one above. "
                        + "Correct what lets a flow run itself without end, or start runs that nobody waits for."));
    }

    /** Puts a run into the queue that nobody waits for. */
    RunId start(LiveFlow flow, String path, Json input, String relation, String stepKey) {
        QueuedJob parent = flow.root();
        RunId run = flow.nextStarted(context.ids()::nextRun);
        enqueue(root(run, parent, path, FLOW_TAG), input, Optional.empty());
        batch.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(run, parent.run(), relation, stepKey, Optional.empty(), 0));
        return run;
    }

    /**
     * Puts a run into the queue for which a step of another one waits; empty where it would stand too deep.
     *
     * @param wait the row that is to stand for the step
     * @param delay before the run may begin
     */
    Optional<RunId> await(
            QueuedJob parent, JobId wait, StepKey step, StartWait.Until.RunEnded awaited, Optional<Duration> delay)
            throws DatabaseLost {
        int depth = 1 + (isAwaited(parent) ? children.depthOf(parent.run()) : 0);
        if (depth > FlowLimits.CHILD_RUN_DEPTH_MAX) {
            return Optional.empty();
        }
        RunId run = context.ids().nextRun();
        enqueue(root(run, parent, awaited.flow(), AWAITED_TAG), awaited.input(), delay);
        batch.add(
                RecordOriginsStatement.SECTION,
                new RunOrigin(run, parent.run(), AWAITED, step.text(), Optional.of(wait), depth));
        return Optional.of(run);
    }

    private void enqueue(QueuedJob root, Json input, Optional<Duration> delay) {
        batch.add(
                EnqueueJobsStatement.SECTION,
                new EnqueuedJob(
                        root, input, Optional.empty(), delay.filter(Duration::isPositive), false, Optional.empty()));
        batch.startsFollow = true;
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

    /** A run ends in this batch: whoever waits for it is to be told, and nobody waits any more for those it waits for. */
    void ends(LiveFlow flow, boolean leavesJobs) {
        ends(flow.root());
        batch.abandonsRuns |= leavesJobs && flow.model().awaitsRuns();
    }

    /** A run ends in this batch that waits for none. */
    void ends(QueuedJob root) {
        if (isAwaited(root)) {
            batch.add(NoteChildEndsStatement.SECTION, root.run());
        }
    }

    /** A run has ended for which a step waits, unless it has been told, or waits no longer. */
    void ended(EndChildWait item) throws DatabaseLost {
        EndedChild end = item.end();
        StepKey step = new StepKey(end.stepKey());
        if (stillWaits(end)
                && planner.isLive(end.parent(), step)
                && planner.advance(end.parent(), new FlowEvent.StepEnded(step, end.outcome()))) {
            batch.add(
                    EndWaitsStatement.SECTION, new EndedWait(end.waitId(), end.parent(), end.stepKey(), end.outcome()));
        }
        batch.add(SettleChildNotesStatement.SECTION, end.child());
        batch.afterCommit.add(() -> item.done().complete(null));
    }

    private boolean stillWaits(EndedChild end) throws DatabaseLost {
        return !batch.endedRuns.containsKey(end.parent())
                && batch.rows(EndWaitsStatement.SECTION).stream()
                        .noneMatch(wait -> wait.id().equals(end.waitId()))
                && store.isQueued(end.waitId());
    }
}
