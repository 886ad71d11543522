package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Withdrawal;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** All that one flush makes durable, and what is to be told once it is. Filled by the planner; owned by whoever drives the lane. */
final class Batch {
    private final FlushRows rows;

    /** Runs to pause (true) or to let go on. */
    final Map<RunId, Boolean> holds = new LinkedHashMap<>();

    final Map<RunId, Outcome> endedRuns = new LinkedHashMap<>();
    final IdentityHashMap<ResultListener, List<ResultAck>> acks = new IdentityHashMap<>();
    final List<Runnable> afterCommit = new ArrayList<>();

    /** Whether runs may be to be started after it. */
    boolean startsFollow;

    /** Whether it may take waits for runs out of the queue that have not ended. */
    boolean abandonsRuns;

    private final Map<RunId, FlowTransition> transitions = new LinkedHashMap<>();
    private final Map<JobId, LeasedJob> settled = new HashMap<>();
    private final List<WithdrawnStep> withdrawn = new ArrayList<>();

    Batch(SchedulerId scheduler) {
        this.rows = new FlushRows(scheduler);
    }

    /** Has a row written. */
    <R> void add(Section<R, ?> section, R row) {
        rows.add(section, row);
    }

    /** Has rows written. */
    <R> void addAll(Section<R, ?> section, Collection<R> several) {
        several.forEach(row -> rows.add(section, row));
    }

    /** The rows of the section until now. */
    <R> List<R> rows(Section<R, ?> section) {
        return rows.of(section);
    }

    /** What the section's statement returned; empty where it had no rows. */
    <R, S extends LaneStatement> Optional<S> written(Section<R, S> section) {
        return rows.written(section);
    }

    /** What is to be written, once all is planned. */
    FlushRows complete() {
        transitions
                .values()
                .forEach(flow -> rows.add(
                        flow.end().isPresent() ? EndFlowsStatement.SECTION : AdvanceFlowsStatement.SECTION, flow));
        holds.forEach((run, held) -> {
            if (!endedRuns.containsKey(run)) {
                rows.add(HoldRunsStatement.SECTION, new RunHold(run, held));
                if (held) {
                    rows.add(ParkRunsStatement.SECTION, run);
                }
            }
        });
        withdrawn.forEach(step -> rows.add(WithdrawStepsStatement.SECTION, withWhatBeganAgain(step)));
        return rows;
    }

    /** The steps that are to leave the queue. */
    List<WithdrawnStep> withdrawn() {
        return withdrawn;
    }

    /** What this batch has put into the queue under the key of a withdrawn step that was there before stays. */
    private WithdrawnStep withWhatBeganAgain(WithdrawnStep step) {
        return step.begunHere().isPresent()
                ? step
                : new WithdrawnStep(
                        step.run(),
                        step.stepKey(),
                        step.reason(),
                        step.begunHere(),
                        begunUnder(step.run(), step.stepKey()).toList());
    }

    /** Notes one transition of a flow that was there before this batch; {@code version} is the flow's after it. */
    void transition(RunId run, long version, Optional<Outcome> end) {
        transitions(run, version, 1, end);
    }

    /** Notes several transitions of a flow that was there before this batch; {@code version} is the flow's after them. */
    void transitions(RunId run, long version, int count, Optional<Outcome> end) {
        FlowTransition before = transitions.get(run);
        transitions.put(
                run,
                before == null
                        ? new FlowTransition(run, version - count, count, end)
                        : new FlowTransition(run, before.version(), before.transitions() + count, end));
    }

    /** Notes that a step leaves the queue: what this batch has put there under its key until now, else what was there before. */
    void withdraw(RunId run, Withdrawal gone) {
        String key = gone.key().text();
        Optional<JobId> begunHere = begunUnder(run, key).reduce((_, last) -> last);
        withdrawn.add(new WithdrawnStep(run, key, gone.reason(), begunHere, List.of()));
    }

    /** Notes what a result's sender is to hear. */
    void acknowledge(ResultListener listener, ResultAck ack) {
        acks.computeIfAbsent(listener, _ -> new ArrayList<>()).add(ack);
    }

    /** Notes that this batch settles the lease. */
    void settle(LeasedJob lease) {
        settled.put(lease.job().id(), lease);
    }

    /** The lease of the job that this batch settles. */
    Optional<LeasedJob> settled(JobId job) {
        return Optional.ofNullable(settled.get(job));
    }

    Iterable<LeasedJob> settled() {
        return settled.values();
    }

    /** Tags of the jobs that this batch puts into the queue for any worker to claim. */
    Set<String> waitingTags() {
        Set<String> tags = new HashSet<>();
        for (EnqueuedJob job : rows(EnqueueJobsStatement.SECTION)) {
            if (job.waits()) {
                tags.add(job.job().queueTag());
            }
        }
        for (RequeuedJob job : rows(RequeueJobsStatement.SECTION)) {
            if (job.waits()) {
                tags.add(job.lease().job().queueTag());
            }
        }
        return tags;
    }

    /**
     * Whether jobs may wait that this batch did not give away: beyond what its claims asked for, or put into the queue because the claims
     * of another lane held the seats just then.
     */
    boolean leavesWork() {
        return !rows(ClaimJobsStatement.SECTION).isEmpty() || !waitingTags().isEmpty();
    }

    /** Whether it leaves notes about runs that others wait for, or waited for. */
    boolean notesChildren() {
        return abandonsRuns || !rows(NoteChildEndsStatement.SECTION).isEmpty();
    }

    /** Whether this batch moved the state of the run's flow. */
    boolean moves(RunId run) {
        return transitions.containsKey(run);
    }

    /** The flows whose state this batch moved. */
    Iterable<RunId> movedFlows() {
        return transitions.keySet();
    }

    /** The jobs that this batch hands to workers. */
    List<Delivery> deliveries() {
        List<Delivery> deliveries = new ArrayList<>();
        for (EnqueuedJob job : rows(EnqueueJobsStatement.SECTION)) {
            job.lease().ifPresent(lease -> deliveries.add(new Delivery(lease, job.input())));
        }
        return deliveries;
    }

    /** Jobs that single steps of this batch took out of the queue. */
    List<EndedLeases> endedLeases() {
        List<EndedLeases> ended = new ArrayList<>();
        written(SkipStepsStatement.SECTION).ifPresent(statement -> ended.add(statement.ended()));
        written(WithdrawStepsStatement.SECTION).ifPresent(statement -> ended.add(statement.ended()));
        return ended;
    }

    /** Whether jobs may be claimable after it that this scheduler did not know to wait. */
    boolean mayFreeJobs() {
        return !holds.isEmpty()
                || !rows(ReviveRunsStatement.SECTION).isEmpty()
                || written(DecideGroupsStatement.SECTION).isPresent()
                || written(ReplaceFirstStatement.SECTION).isPresent();
    }

    /** Tags of the jobs that this batch freed. */
    Set<String> freedTags() {
        Set<String> tags = new HashSet<>();
        written(HoldRunsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.claimable()));
        written(ReviveRunsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.claimable()));
        written(DecideGroupsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.claimable()));
        written(ReplaceFirstStatement.SECTION).ifPresent(statement -> tags.addAll(statement.claimable()));
        return tags;
    }

    /** Tags of the lines for limits that may go on after it, or that have grown. */
    Set<String> limitTags() {
        Set<String> tags = new HashSet<>();
        rows(ParkJobsStatement.SECTION).forEach(job -> tags.add(job.queueTag()));
        rows(ParkAgainStatement.SECTION).forEach(job -> tags.add(job.queueTag()));
        rows(FinishJobsStatement.SECTION)
                .forEach(job -> job.lease().job().limitTag().ifPresent(tags::add));
        written(ClaimJobsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.ratedTags()));
        written(ParkRunsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.limitTags()));
        written(CancelJobsStatement.SECTION).ifPresent(statement -> tags.addAll(statement.limitTags()));
        endedLeases().forEach(ended -> tags.addAll(ended.limitTags()));
        return tags;
    }

    /** Time that runs have which this batch begins or puts back. */
    List<Duration> timeLimits() {
        List<Duration> limits = new ArrayList<>();
        rows(BeginRunsStatement.SECTION).forEach(run -> run.timeout().ifPresent(limits::add));
        rows(ReviveRunsStatement.SECTION).forEach(run -> run.timeout().ifPresent(limits::add));
        return limits;
    }

    private Stream<JobId> begunUnder(RunId run, String stepKey) {
        return Stream.concat(
                        rows(EnqueueJobsStatement.SECTION).stream().map(EnqueuedJob::job),
                        rows(BeginWaitsStatement.SECTION).stream().map(BegunWait::job))
                .filter(job -> job.run().equals(run) && job.stepKey().equals(stepKey))
                .map(QueuedJob::id);
    }

    /** The folders of groups that this batch ended, by the sessions whose workers hold them. */
    Map<SessionId, List<UUID>> endedFolders() {
        return written(EndGroupsStatement.SECTION)
                .map(EndGroupsStatement::folders)
                .orElse(Map.of());
    }
}
