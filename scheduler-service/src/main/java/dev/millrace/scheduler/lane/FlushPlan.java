package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.Withdrawal;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
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
 * The content of one flush: the rows to write, and the announcements to make once they are durable.
 *
 * <p>Commands, the flows that they move, and features fill it. Flows and slot board are changed before the commit, so a
 * failed flush must be undone with {@link PostCommit#abort}. Owned by the lane's driver.
 */
public final class FlushPlan {
    private final LaneContext context;
    private final LaneStore store;
    private final FlushRows rows;
    private final FlowDriver flows;
    private final JobPlanner jobs;
    /** An array, because a step makes about ten loops over it, and each loop would leave an iterator as garbage. */
    private final LaneFeature[] features;

    private final Map<RunId, Outcome> endedRuns = new LinkedHashMap<>();
    private final Map<RunId, FlowTransition> transitions = new LinkedHashMap<>();
    private final Set<RunId> newFlows = new LinkedHashSet<>();
    private final Map<JobId, LeasedJob> settled = new HashMap<>();
    private final Map<LeaseKey, LeaseReceiver> slotsFreed = new HashMap<>();
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

    /** Reads of runs and jobs. */
    public LaneStore store() {
        return store;
    }

    public FlowDriver flows() {
        return flows;
    }

    public JobPlanner jobs() {
        return jobs;
    }

    /** The features' shares of this flush, in order; not to be changed. */
    LaneFeature[] features() {
        return features;
    }

    /** The part of one feature, for the feature's own commands and for features that build on it. */
    public <F extends LaneFeature> F feature(Class<F> type) {
        for (LaneFeature feature : features) {
            if (type.isInstance(feature)) {
                return type.cast(feature);
            }
        }
        throw new IllegalStateException(type.getName() + " takes no part in this lane");
    }

    /** Reads what the commands need, before the first is planned. */
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

    /** Adds a row to write. */
    public <R> void add(Section<R, ?> section, R row) {
        rows.add(section, row);
    }

    /** Adds a history row for a step that no worker ran. */
    public void record(RecordedStep step) {
        rows.add(RecordStepsStatement.SECTION, step);
    }

    /** Number of steps so far that no worker ran. */
    int recorded() {
        return rows.of(RecordStepsStatement.SECTION).size();
    }

    /** Adds rows to write. */
    <R> void addAll(Section<R, ?> section, Collection<R> several) {
        several.forEach(row -> rows.add(section, row));
    }

    /** The rows of the section so far. */
    public <R> List<R> rows(Section<R, ?> section) {
        return rows.of(section);
    }

    /** The executed statement of the section; empty if the section had no rows. */
    public <R, S extends LaneStatement> Optional<S> written(Section<R, S> section) {
        return rows.written(section);
    }

    /** Completes the plan, and returns the rows to write. */
    FlushRows complete() {
        transitions
                .values()
                .forEach(flow -> rows.add(
                        flow.end().isPresent() ? EndFlowsStatement.SECTION : AdvanceFlowsStatement.SECTION, flow));
        withdrawn.forEach(step -> rows.add(WithdrawStepsStatement.SECTION, withWhatBeganAgain(step)));
        for (LaneFeature feature : features) {
            feature.complete();
        }
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

    /** The runs that end in this flush, with their outcomes. */
    Map<RunId, Outcome> outcomes() {
        return endedRuns;
    }

    /** Moves the run's flow. Returns false if the run has no flow in progress. */
    public boolean advance(RunId run, FlowEvent event) throws DatabaseLost {
        return flows.advance(run, event);
    }

    /** Notes transitions of an existing flow; {@code version} is its version after them. */
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

    /** Whether this flush moves the run's flow. */
    boolean moves(RunId run) {
        return transitions.containsKey(run);
    }

    /** Runs whose flows this flush moves. */
    Set<RunId> movedFlows() {
        return transitions.keySet();
    }

    /** Runs that this flush accepts, moves or ends, as far as their flows or roots are concerned. */
    public Set<RunId> changedRuns() {
        Set<RunId> changed = new LinkedHashSet<>(transitions.keySet());
        changed.addAll(newFlows);
        changed.addAll(endedRuns.keySet());
        return changed;
    }

    /** Jobs that enter the queue, without waits. */
    public List<EnqueuedJob> enqueued() {
        return rows.of(EnqueueJobsStatement.SECTION);
    }

    /** Leased jobs that return to the queue. */
    public List<RequeuedJob> requeued() {
        return rows.of(RequeueJobsStatement.SECTION);
    }

    /** What workers claim in this flush. */
    public List<Claim> claims() {
        return rows.of(ClaimJobsStatement.SECTION);
    }

    /** Notes a job that enters the queue. */
    public void noteQueued(QueuedJob job) {
        queued.add(job);
    }

    /** Notes that a run is submitted. */
    void submitted(NewRun run) {
        for (LaneFeature feature : features) {
            feature.submitted(run);
        }
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

    /**
     * Notes that a step leaves the queue: the job that this flush has enqueued under its key so far, otherwise the
     * earlier one.
     */
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

    /** Protects the jobs that this flush has enqueued under the key of an earlier, withdrawn step. */
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

    /** Moves all live jobs of a run into the history as canceled. */
    public void cancelJobs(RunId run, JobError reason) {
        rows.add(CancelJobsStatement.SECTION, new CanceledRun(run, reason));
    }

    /** Notes an acknowledgment for the sender of a result. */
    void acknowledge(ResultListener listener, ResultAck ack) {
        acks.computeIfAbsent(listener, _ -> new ArrayList<>()).add(ack);
    }

    Map<ResultListener, List<ResultAck>> acks() {
        return acks;
    }

    /**
     * Notes that this flush settles the lease.
     *
     * @param freed the connected end whose slot is released for other jobs of this flush; empty if none is
     */
    void settle(LeasedJob lease, Optional<LeaseReceiver> freed) {
        settled.put(lease.job().id(), lease);
        freed.ifPresent(receiver -> slotsFreed.put(lease.key(), receiver));
    }

    /**
     * Whether this flush has released the slot of a lease that it settles. If the worker has connected anew since, it has
     * not: the lease counts among those of the new connection.
     */
    boolean hasFreedSlotOf(LeasedJob lease) {
        return context.slots()
                .receiver(lease.slot().session())
                .filter(receiver -> receiver.equals(slotsFreed.get(lease.key())))
                .isPresent();
    }

    /** The lease of the job, if this flush settles it. */
    Optional<LeasedJob> settled(JobId job) {
        return Optional.ofNullable(settled.get(job));
    }

    Collection<LeasedJob> settled() {
        return settled.values();
    }

    /** Runs an action once the flush is durable. The action must return at once. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    public List<Runnable> afterCommit() {
        return afterCommit;
    }

    /** Publishes an event once the flush is durable. Equal events are published once. */
    public void publish(Object event) {
        events.add(event);
    }

    Set<Object> events() {
        return events;
    }

    /** The effects of the flush on others. Valid only once the flush is durable. */
    Effects effects() {
        Effects effects = new Effects();
        withdrawn.forEach(step -> effects.changed(step.run()));
        written(WithdrawStepsStatement.SECTION).ifPresent(statement -> effects.endLeases(statement.ended()));
        written(CancelJobsStatement.SECTION).ifPresent(statement -> effects.endLeases(statement.ended()));
        jobs.written(effects);
        for (LaneFeature feature : features) {
            feature.written(effects);
        }
        return effects;
    }

    /** Tags of the jobs that this flush enqueues for any worker. */
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

    /** Whether the flush may make jobs claimable that this scheduler did not know to be waiting. */
    boolean freesJobs() {
        for (LaneFeature feature : features) {
            if (feature.freesJobs()) {
                return true;
            }
        }
        return false;
    }
}
