package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.Withdrawal;
import dev.millrace.scheduler.queue.AssumedVersion;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.Submission;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All that one flush makes durable, and what is to be told once it is. Filled by the planner; owned by whoever drives the lane. */
final class Batch {
    private final SchedulerId scheduler;

    final List<Submission> submissions = new ArrayList<>();
    final Set<AssumedVersion> assumedVersions = new LinkedHashSet<>();
    final List<FinishedJob> finished = new ArrayList<>();
    final List<RequeuedJob> requeued = new ArrayList<>();
    final List<RecordedStep> recorded = new ArrayList<>();
    final List<EnqueuedJob> enqueued = new ArrayList<>();
    final List<BegunWait> begunWaits = new ArrayList<>();
    final List<EndedWait> endedWaits = new ArrayList<>();
    final List<ReceivedSignal> signals = new ArrayList<>();
    final List<TakenSignal> takenSignals = new ArrayList<>();
    final List<CanceledRun> canceledRuns = new ArrayList<>();
    /** Runs to pause (true) or to let go on. */
    final Map<RunId, Boolean> holds = new LinkedHashMap<>();

    final List<BegunRun> begun = new ArrayList<>();
    final List<LinedRun> lined = new ArrayList<>();
    final List<Turn> turns = new ArrayList<>();
    final List<RevivedRun> revived = new ArrayList<>();
    final List<CopiedStep> copied = new ArrayList<>();
    final List<RunOrigin> origins = new ArrayList<>();
    final List<RunOption> options = new ArrayList<>();
    /** Those of the cancelled runs that have no flow in progress. */
    final List<RunId> canceledRoots = new ArrayList<>();

    /** Runs that end, and for which others wait. */
    final List<RunId> childEnds = new ArrayList<>();

    /** Runs of whose ends those that wait for them are told. */
    final List<RunId> settledChildren = new ArrayList<>();

    final List<SkippedStep> skipped = new ArrayList<>();
    final List<WithdrawnStep> withdrawn = new ArrayList<>();
    /** Jobs among the enqueued ones that are no first attempts. */
    final List<QueuedJob> laterAttempts = new ArrayList<>();

    /** What becomes of groups of steps that keep to one worker, in order. */
    final List<GroupChange> groups = new ArrayList<>();

    /** Jobs among the enqueued ones that belong to such groups. */
    final List<QueuedJob> grouped = new ArrayList<>();

    /** Jobs among the enqueued ones that wait for their limits. */
    final List<QueuedJob> parked = new ArrayList<>();

    /** Jobs among the requeued ones that give their places back. */
    final List<QueuedJob> parkedAgain = new ArrayList<>();

    final List<FailedStep> failed = new ArrayList<>();
    final List<ErasedSteps> erased = new ArrayList<>();
    final List<KeptResult> kept = new ArrayList<>();
    /** Rows of history that this batch writes with results from the cache. */
    final List<JobId> fromCache = new ArrayList<>();

    final List<RecordedOperation> operations = new ArrayList<>();
    final List<Claim> claims = new ArrayList<>();
    final Map<RunId, Outcome> endedRuns = new LinkedHashMap<>();
    final IdentityHashMap<ResultListener, List<ResultAck>> acks = new IdentityHashMap<>();
    final List<Runnable> afterCommit = new ArrayList<>();

    /** Whether runs may be to be started after it. */
    boolean startsFollow;

    /** Whether it may take waits for runs out of the queue that have not ended. */
    boolean abandonsRuns;

    private final Map<RunId, FlowTransition> transitions = new LinkedHashMap<>();
    private final Map<JobId, LeasedJob> settled = new HashMap<>();
    private final Map<String, CacheCall> cacheCalls = new LinkedHashMap<>();

    private Optional<CancelJobsStatement> cancelStatement = Optional.empty();
    private Optional<ClaimJobsStatement> claimStatement = Optional.empty();
    private Optional<ParkRunsStatement> parkStatement = Optional.empty();
    private Optional<HoldRunsStatement> holdStatement = Optional.empty();
    private Optional<ReviveRunsStatement> reviveStatement = Optional.empty();
    private Optional<SkipStepsStatement> skipStatement = Optional.empty();
    private Optional<WithdrawStepsStatement> withdrawStatement = Optional.empty();
    private Optional<DecideGroupsStatement> decideStatement = Optional.empty();
    private Optional<ReplaceFirstStatement> replaceStatement = Optional.empty();
    private Optional<EndGroupsStatement> endGroupsStatement = Optional.empty();

    Batch(SchedulerId scheduler) {
        this.scheduler = scheduler;
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

    /** Notes how a result is to be kept; a later call of the same step takes the place of an earlier one. */
    void addCacheCall(CacheCall call) {
        cacheCalls.put(call.run() + " " + call.stepKey(), call);
    }

    /** Notes that a step leaves the queue: what this batch has put there under its key until now, else what was there before. */
    void withdraw(RunId run, Withdrawal gone) {
        String key = gone.key().text();
        Optional<JobId> begunHere = begunUnder(run, key).reduce((_, last) -> last);
        withdrawn.add(new WithdrawnStep(run, key, gone.reason(), begunHere));
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
        for (EnqueuedJob job : enqueued) {
            if (job.waits()) {
                tags.add(job.job().queueTag());
            }
        }
        for (RequeuedJob job : requeued) {
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
        return !claims.isEmpty() || !waitingTags().isEmpty();
    }

    /** Whether it leaves notes about runs that others wait for, or waited for. */
    boolean notesChildren() {
        return abandonsRuns || !childEnds.isEmpty();
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
        for (EnqueuedJob job : enqueued) {
            job.lease().ifPresent(lease -> deliveries.add(new Delivery(lease, job.input())));
        }
        return deliveries;
    }

    Optional<CancelJobsStatement> cancelStatement() {
        return cancelStatement;
    }

    /** Jobs that single steps of this batch took out of the queue. */
    List<EndedLeases> endedLeases() {
        List<EndedLeases> ended = new ArrayList<>();
        skipStatement.ifPresent(statement -> ended.add(statement.ended()));
        withdrawStatement.ifPresent(statement -> ended.add(statement.ended()));
        return ended;
    }

    /** Whether jobs may be claimable after it that this scheduler did not know to wait. */
    boolean mayFreeJobs() {
        return !holds.isEmpty() || !revived.isEmpty() || decideStatement.isPresent() || replaceStatement.isPresent();
    }

    /** Tags of the jobs that this batch freed. */
    Set<String> freedTags() {
        Set<String> tags = new HashSet<>();
        holdStatement.ifPresent(statement -> tags.addAll(statement.claimable()));
        reviveStatement.ifPresent(statement -> tags.addAll(statement.claimable()));
        decideStatement.ifPresent(statement -> tags.addAll(statement.claimable()));
        replaceStatement.ifPresent(statement -> tags.addAll(statement.claimable()));
        return tags;
    }

    /** Tags of the lines for limits that may go on after it, or that have grown. */
    Set<String> limitTags() {
        Set<String> tags = new HashSet<>();
        parked.forEach(job -> tags.add(job.queueTag()));
        parkedAgain.forEach(job -> tags.add(job.queueTag()));
        finished.forEach(job -> job.lease().job().limitTag().ifPresent(tags::add));
        claimStatement.ifPresent(statement -> tags.addAll(statement.ratedTags()));
        parkStatement.ifPresent(statement -> tags.addAll(statement.limitTags()));
        cancelStatement.ifPresent(statement -> tags.addAll(statement.limitTags()));
        endedLeases().forEach(ended -> tags.addAll(ended.limitTags()));
        return tags;
    }

    /** Time that runs have which this batch begins or puts back. */
    List<Duration> timeLimits() {
        List<Duration> limits = new ArrayList<>();
        begun.forEach(run -> run.timeout().ifPresent(limits::add));
        revived.forEach(run -> run.timeout().ifPresent(limits::add));
        return limits;
    }

    Optional<ClaimJobsStatement> claimStatement() {
        return claimStatement;
    }

    /** The statements in the order in which they must run; rows of flows come first, so that all writers lock in one order. */
    List<LaneStatement> statements() {
        List<LaneStatement> statements = new ArrayList<>();
        addUnlessEmpty(statements, List.copyOf(assumedVersions), CheckVersionsStatement::new);
        addUnlessEmpty(statements, submissions, RecordSubmissionStatement::new);
        addUnlessEmpty(statements, lined, JoinLinesStatement::new);
        addUnlessEmpty(statements, turns, TakeTurnsStatement::new);
        addUnlessEmpty(statements, begun, BeginRunsStatement::new);
        reviveStatement = addUnlessEmpty(statements, revived, ReviveRunsStatement::new);
        addUnlessEmpty(statements, goingOn(), AdvanceFlowsStatement::new);
        addUnlessEmpty(statements, ending(), EndFlowsStatement::new);
        addUnlessEmpty(statements, turns(Turn::isCounted), CheckTurnsStatement::new);
        addUnlessEmpty(statements, turns(Turn::isRated), NoteTurnsStatement::new);
        addUnlessEmpty(statements, finished, FinishJobsStatement::new);
        addUnlessEmpty(statements, requeued, RequeueJobsStatement::new);
        addUnlessEmpty(statements, parkedAgain, ParkAgainStatement::new);
        // Before what follows enters the queue, maybe under the same keys.
        skipStatement = addUnlessEmpty(statements, skipped, SkipStepsStatement::new);
        addUnlessEmpty(statements, failed, FailStepsStatement::new);
        addUnlessEmpty(statements, recorded, RecordStepsStatement::new);
        addUnlessEmpty(statements, copied, CopyStepsStatement::new);
        addUnlessEmpty(statements, origins, RecordOriginsStatement::new);
        addUnlessEmpty(statements, options, RecordRunOptionsStatement::new);
        addUnlessEmpty(statements, enqueued, jobs -> new EnqueueJobsStatement(scheduler, jobs));
        addUnlessEmpty(statements, laterAttempts, RaiseAttemptsStatement::new);
        addUnlessEmpty(statements, changes(GroupChange.Begun.class), BeginGroupsStatement::new);
        addUnlessEmpty(statements, grouped, JoinGroupsStatement::new);
        addUnlessEmpty(statements, parked, ParkJobsStatement::new);
        decideStatement = addUnlessEmpty(statements, changes(GroupChange.Decided.class), DecideGroupsStatement::new);
        parkStatement = addUnlessEmpty(statements, pausedRuns(), ParkRunsStatement::new);
        holdStatement = addUnlessEmpty(statements, holdsOfLiveRuns(), HoldRunsStatement::new);
        addUnlessEmpty(statements, begunWaits, BeginWaitsStatement::new);
        addUnlessEmpty(statements, signals, RecordSignalsStatement::new);
        addUnlessEmpty(statements, takenSignals, TakeSignalsStatement::new);
        addUnlessEmpty(statements, endedWaits, EndWaitsStatement::new);
        withdrawStatement =
                addUnlessEmpty(statements, withdrawn, steps -> new WithdrawStepsStatement(steps, begunAgain()));
        replaceStatement =
                addUnlessEmpty(statements, changes(GroupChange.FirstReplaced.class), ReplaceFirstStatement::new);
        endGroupsStatement = addUnlessEmpty(statements, changes(GroupChange.Ended.class), EndGroupsStatement::new);
        cancelStatement = addUnlessEmpty(statements, canceledRuns, CancelJobsStatement::new);
        addUnlessEmpty(statements, canceledRoots, CheckCanceledStatement::new);
        claimStatement = addUnlessEmpty(statements, claims, wanted -> new ClaimJobsStatement(scheduler, wanted));
        addUnlessEmpty(statements, operations, RecordOperationsStatement::new);
        addUnlessEmpty(statements, erased, EraseStepsStatement::new);
        addUnlessEmpty(statements, fromCache, MarkCachedStatement::new);
        addUnlessEmpty(statements, List.copyOf(cacheCalls.values()), BeginCacheCallsStatement::new);
        addUnlessEmpty(statements, kept, KeepResultsStatement::new);
        addUnlessEmpty(statements, childEnds, NoteChildEndsStatement::new);
        addUnlessEmpty(statements, settledChildren, SettleChildNotesStatement::new);
        return statements;
    }

    private List<Turn> turns(Predicate<Turn> wanted) {
        return those(turns, wanted);
    }

    /** What this batch has put into the queue under the keys of withdrawn steps that were there before. */
    private List<JobId> begunAgain() {
        return withdrawn.stream()
                .filter(step -> step.begunHere().isEmpty())
                .flatMap(step -> begunUnder(step.run(), step.stepKey()))
                .toList();
    }

    private Stream<JobId> begunUnder(RunId run, String stepKey) {
        return Stream.concat(
                        enqueued.stream().map(EnqueuedJob::job),
                        begunWaits.stream().map(BegunWait::job))
                .filter(job -> job.run().equals(run) && job.stepKey().equals(stepKey))
                .map(QueuedJob::id);
    }

    private <T extends GroupChange> List<T> changes(Class<T> kind) {
        List<T> changes = new ArrayList<>();
        for (GroupChange change : groups) {
            if (kind.isInstance(change)) {
                changes.add(kind.cast(change));
            }
        }
        return changes;
    }

    /** The folders of groups that this batch ended, by the sessions whose workers hold them. */
    Map<SessionId, List<UUID>> endedFolders() {
        return endGroupsStatement.map(EndGroupsStatement::folders).orElse(Map.of());
    }

    private List<RunHold> holdsOfLiveRuns() {
        List<RunHold> live = new ArrayList<>();
        holds.forEach((run, held) -> {
            if (!endedRuns.containsKey(run)) {
                live.add(new RunHold(run, held));
            }
        });
        return live;
    }

    private List<RunId> pausedRuns() {
        List<RunId> paused = new ArrayList<>();
        for (RunHold hold : holdsOfLiveRuns()) {
            if (hold.held()) {
                paused.add(hold.run());
            }
        }
        return paused;
    }

    private List<FlowTransition> goingOn() {
        return those(transitions.values(), flow -> flow.end().isEmpty());
    }

    private List<FlowTransition> ending() {
        return those(transitions.values(), flow -> flow.end().isPresent());
    }

    /** A plain loop: each flush asks often, and mostly there is nothing; streams were a tenth of a lane's own work. */
    private static <T> List<T> those(Collection<T> items, Predicate<T> wanted) {
        List<T> found = new ArrayList<>();
        for (T item : items) {
            if (wanted.test(item)) {
                found.add(item);
            }
        }
        return found;
    }

    private interface Maker<T, S> {
        S make(List<T> rows);
    }

    private static <T, S extends LaneStatement> Optional<S> addUnlessEmpty(
            List<LaneStatement> statements, List<T> rows, Maker<T, S> maker) {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        S statement = maker.make(rows);
        statements.add(statement);
        return Optional.of(statement);
    }
}
