package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.Withdrawal;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one flush makes durable, and what is to be told once it is: filled by commands, by the flows that they move, and by the features that take part.
 * It moves the flows and the slot board ahead of the commit, so that a flush that fails must be undone with {@link PostCommit#abort}. Owned by whoever drives
 * the lane.
 */
public final class FlushPlan {
    private final LaneContext context;
    private final LaneStore store;
    private final FlushRows rows;
    private final FlowDriver flows;
    private final JobPlanner jobs;
    /** An array, since a step makes about ten loops over it, and an iterator each would be garbage. */
    private final LaneFeature[] features;


    private final Map<RunId, Outcome> endedRuns = new LinkedHashMap<>();
    private final Map<RunId, FlowTransition> transitions = new LinkedHashMap<>();
    private final Set<RunId> newFlows = new LinkedHashSet<>();
    private final Map<JobId, LeasedJob> settled = new HashMap<>();
    private final List<QueuedJob> queued = new ArrayList<>();
    private final List<WithdrawnStep> withdrawn = new ArrayList<>();
    private final IdentityHashMap<ResultListener, List<ResultAck>> acks = new IdentityHashMap<>(1);
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final Set<Object> events = new LinkedHashSet<>();

    FlushPlan(LaneContext context, LaneStore store, LiveFlows flows) {
        this.context = context;
        this.store = store;
        this.rows = new FlushRows(context.scheduler());
        this.jobs = new JobPlanner(this);
        this.flows = new FlowDriver(this, flows);
        List<LaneFeature.Maker> makers = context.features();
        this.features = new LaneFeature[makers.size()];
        for (int i = 0; i < features.length; i++) {
            features[i] = makers.get(i).join(this);
        }
    }

    public LaneContext context() {
        return context;
    }

    /** What the lane knows of runs and jobs. */
    public LaneStore store() {
        return store;
    }

    /** Moves flows. */
    public FlowDriver flows() {
        return flows;
    }

    /** Places jobs. */
    public JobPlanner jobs() {
        return jobs;
    }

    /** The features' shares of this flush, in order; not to be changed. */
    LaneFeature[] features() {
        return features;
    }

    /** The share of one feature, for its own commands and for features that build on it. */
    public <F extends LaneFeature> F feature(Class<F> type) {
        for (LaneFeature feature : features) {
            if (type.isInstance(feature)) {
                return type.cast(feature);
            }
        }
        throw new IllegalStateException(type.getName() + " takes no part in this lane");
    }

    /** Reads at once what the commands need. */
    void prefetch(List<LaneCommand> commands) throws DatabaseLost {
        for (LaneFeature feature : features) {
            feature.prefetch(commands);
        }
    }

    /** Plans a command. */
    void plan(LaneCommand command) throws DatabaseLost {
        command.plan(this);
        for (LaneFeature feature : features) {
            feature.planned();
        }
    }

    /** Has a row written. */
    public <R> void add(Section<R, ?> section, R row) {
        rows.add(section, row);
    }

    /** Has a step written into the history that no worker ran. */
    public void record(RecordedStep step) {
        rows.add(RecordStepsStatement.SECTION, step);
    }

    /** Has rows written. */
    <R> void addAll(Section<R, ?> section, Collection<R> several) {
        several.forEach(row -> rows.add(section, row));
    }

    /** The rows of the section until now. */
    public <R> List<R> rows(Section<R, ?> section) {
        return rows.of(section);
    }

    /** What the section's statement returned; empty where it had no rows. */
    public <R, S extends LaneStatement> Optional<S> written(Section<R, S> section) {
        return rows.written(section);
    }

    /** What is to be written, once all is planned. */
    FlushRows complete() {
        transitions
                .values()
                .forEach(flow -> rows.add(
                        flow.end().isPresent() ? EndFlowsStatement.SECTION : AdvanceFlowsStatement.SECTION, flow));
        for (LaneFeature feature : features) {
            feature.complete();
        }
        withdrawn.forEach(step -> rows.add(WithdrawStepsStatement.SECTION, withWhatBeganAgain(step)));
        return rows;
    }

    /** Notes that a run ends in this flush. */
    void end(RunId run, Outcome outcome) {
        endedRuns.put(run, outcome);
    }

    /** Ends a run that has no flow in memory, or has not begun. */
    public void endIdle(RunId run, Outcome outcome) {
        end(run, outcome);
        for (LaneFeature feature : features) {
            feature.idleRunEnds(run);
        }
    }

    /** Whether the run ends in this flush. */
    public boolean ends(RunId run) {
        return endedRuns.containsKey(run);
    }

    Set<RunId> endedRuns() {
        return endedRuns.keySet();
    }

    /** Moves the run's flow; false where it has none in progress. */
    public boolean advance(RunId run, FlowEvent event) throws DatabaseLost {
        return flows.advance(run, event);
    }

    /** Notes transitions of a flow that was there before this flush; {@code version} is the flow's after them. */
    public void transitions(RunId run, long version, int count, Optional<Outcome> end) {
        FlowTransition before = transitions.get(run);
        transitions.put(
                run,
                before == null
                        ? new FlowTransition(run, version - count, count, end)
                        : new FlowTransition(run, before.version(), before.transitions() + count, end));
    }

    /** Notes a flow that is remembered from this flush on. */
    void addFlow(RunId run) {
        newFlows.add(run);
    }

    Set<RunId> newFlows() {
        return newFlows;
    }

    /** Whether this flush moves the state of the run's flow. */
    boolean moves(RunId run) {
        return transitions.containsKey(run);
    }

    /** The flows whose state this flush moves. */
    Set<RunId> movedFlows() {
        return transitions.keySet();
    }

    /** Notes that a row enters the queue. */
    public void noteQueued(QueuedJob job) {
        queued.add(job);
    }

    /** Notes that a run enters the queue with its flow, or begins there. */
    public void begins(LiveFlow flow) {
        for (LaneFeature feature : features) {
            feature.begins(flow);
        }
    }

    /** Notes that a job is placed with a worker or in the queue. */
    public void queued(QueuedJob job) {
        for (LaneFeature feature : features) {
            feature.queued(job);
        }
    }

    /** Notes that steps of a flow leave the queue before they have ended. */
    public void stepsLeave(LiveFlow flow) {
        for (LaneFeature feature : features) {
            feature.stepsLeave(flow);
        }
    }

    /** Notes that a step leaves the queue: what this flush has put there under its key until now, else what was there before. */
    void withdraw(RunId run, Withdrawal gone) {
        String key = gone.key().text();
        List<JobId> begunHere = queuedUnder(run, key);
        withdrawn.add(new WithdrawnStep(
                run,
                key,
                gone.reason(),
                begunHere.isEmpty() ? Optional.empty() : Optional.of(begunHere.getLast()),
                List.of()));
    }

    /** What this flush has put into the queue under the key of a withdrawn step that was there before stays. */
    private WithdrawnStep withWhatBeganAgain(WithdrawnStep step) {
        return step.begunHere().isPresent()
                ? step
                : new WithdrawnStep(
                        step.run(),
                        step.stepKey(),
                        step.reason(),
                        step.begunHere(),
                        queuedUnder(step.run(), step.stepKey()));
    }

    private List<JobId> queuedUnder(RunId run, String stepKey) {
        return queued.stream()
                .filter(job -> job.run().equals(run) && job.stepKey().equals(stepKey))
                .map(QueuedJob::id)
                .toList();
    }

    /** Has all live jobs of a run moved into the history as canceled. */
    public void cancelJobs(RunId run, JobError reason) {
        rows.add(CancelJobsStatement.SECTION, new CanceledRun(run, reason));
    }

    /** Notes what a result's sender is to hear. */
    void acknowledge(ResultListener listener, ResultAck ack) {
        acks.computeIfAbsent(listener, _ -> new ArrayList<>()).add(ack);
    }

    Map<ResultListener, List<ResultAck>> acks() {
        return acks;
    }

    /** Notes that this flush settles the lease. */
    void settle(LeasedJob lease) {
        settled.put(lease.job().id(), lease);
    }

    /** The lease of the job that this flush settles. */
    Optional<LeasedJob> settled(JobId job) {
        return Optional.ofNullable(settled.get(job));
    }

    Collection<LeasedJob> settled() {
        return settled.values();
    }

    /** Has something done once the flush is durable; it must return at once. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    public List<Runnable> afterCommit() {
        return afterCommit;
    }

    /** Publishes an event once the flush is durable; equal events are published once. */
    public void publish(Object event) {
        events.add(event);
    }

    Set<Object> events() {
        return events;
    }

    /** What the flush has changed for others; only once it is durable. */
    Effects effects() {
        Effects effects = new Effects();
        withdrawn.forEach(step -> effects.changed(step.run()));
        written(WithdrawStepsStatement.SECTION).ifPresent(statement -> effects.endLeases(statement.ended()));
        written(CancelJobsStatement.SECTION)
                .ifPresent(statement ->
                        effects.endLeases(statement.canceled(), statement.heldByWorkers(), statement.limitTags()));
        jobs.written(effects);
        for (LaneFeature feature : features) {
            feature.written(effects);
        }
        return effects;
    }

    /** Tags of jobs that this flush puts into the queue for any worker to claim. */
    Set<String> waitingTags() {
        Set<String> tags = new HashSet<>();
        for (EnqueuedJob job : rows.of(EnqueueJobsStatement.SECTION)) {
            if (job.waits()) {
                tags.add(job.job().queueTag());
            }
        }
        for (RequeuedJob job : rows.of(RequeueJobsStatement.SECTION)) {
            if (job.waits()) {
                tags.add(job.lease().job().queueTag());
            }
        }
        return tags;
    }

    /** Whether jobs may be claimable after it that this scheduler did not know to wait. */
    boolean freesJobs() {
        for (LaneFeature feature : features) {
            if (feature.freesJobs()) {
                return true;
            }
        }
        return false;
    }
}
