package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.CacheUse;
import dev.millrace.scheduler.flow.core.Decision;
import dev.millrace.scheduler.flow.core.FlowEvent;
import dev.millrace.scheduler.flow.core.RunLimit;
import dev.millrace.scheduler.flow.core.StartJob;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.flow.core.StepRecord;
import dev.millrace.scheduler.flow.core.Withdrawal;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Seat;
import dev.millrace.scheduler.queue.SlotBoard.Vacancy;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptDecision;
import dev.millrace.scheduler.queue.core.ClaimOrder;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides what one batch does. It reads the lane's memory, and the database only where the memory has nothing; it moves the flows and
 * the slot board ahead of the commit, so that a batch that fails must be undone with {@link BatchEnd#abort}.
 */
final class Planner {
    /** Most jobs that one claim of a flush asks for. */
    static final int CLAIM_MAX = 200;

    static final String REFUSED_LATE =
            "The lease is no longer held: the job was given to another worker, was cancelled, or has ended.";

    private final LaneContext context;
    private final LaneStore store;
    private final LiveFlows flows;
    private final Batch batch;
    private final FlowLoader loader;
    private final WaitPlanner waits;
    private final OperationPlanner operations;
    private final RunStarter starter;
    private final GroupPlanner groups;
    private final ChildRuns children;

    Planner(LaneContext context, LaneStore store, LiveFlows flows) {
        this.context = context;
        this.batch = new Batch(context.scheduler());
        this.store = store;
        this.flows = flows;
        this.loader = new FlowLoader(store);
        this.children = new ChildRuns(this, context, store, batch);
        this.waits = new WaitPlanner(this, context, store, batch, children);
        this.starter = new RunStarter(this, context, store, flows, batch, children);
        this.groups = new GroupPlanner(this, context, store, batch);
        this.operations = new OperationPlanner(this, context, store, flows, batch);
    }

    Batch batch() {
        return batch;
    }

    OperationPlanner operations() {
        return operations;
    }

    WaitPlanner waits() {
        return waits;
    }

    RunStarter starter() {
        return starter;
    }

    GroupPlanner groups() {
        return groups;
    }

    ChildRuns children() {
        return children;
    }

    void add(LaneCommand command) throws DatabaseLost {
        command.plan(this);
        endWaits();
    }

    /** Lets the groups that still have room look for waiting jobs. One claim for each tag: two would find the same rows. */
    void claim() {
        Set<String> waiting = batch.waitingTags();
        Set<String> claimed = new HashSet<>();
        for (Vacancy vacancy : context.slots().vacancies()) {
            List<String> tags = new ArrayList<>();
            for (String tag : vacancy.tags()) {
                if (!claimed.contains(tag)
                        && (waiting.contains(tag) || context.backlog().mayWait(tag))) {
                    tags.add(tag);
                }
            }
            if (!tags.isEmpty()) {
                int room = Math.min(vacancy.room(), CLAIM_MAX);
                context.slots().reserve(vacancy.seat(), room);
                claimed.addAll(tags);
                batch.add(
                        ClaimJobsStatement.SECTION,
                        new Claim(
                                new Vacancy(vacancy.seat(), tags, room),
                                context.ids().nextLeaseToken()));
            }
        }
    }

    void submit(SubmitRuns submit) throws DatabaseLost {
        if (submit.submission().requestId().isPresent()) {
            batch.add(RecordSubmissionStatement.SECTION, submit.submission());
        }
        batch.addAll(CheckVersionsStatement.SECTION, submit.submission().assumed());
        batch.addAll(RecordRunOptionsStatement.SECTION, submit.options());
        for (NewRun run : submit.submission().runs()) {
            switch (run.target()) {
                case RunTarget.Job(JobTarget target) -> submitJob(submit, run, target);
                case RunTarget.FlowRun(String hash) -> submitFlow(submit, run, hash);
            }
        }
        List<RunId> ids = submit.submission().runs().stream().map(NewRun::id).toList();
        batch.afterCommit.add(() -> submit.answer().complete(new SubmitResult.Accepted(ids)));
    }

    private void submitJob(SubmitRuns submit, NewRun run, JobTarget target) {
        place(submit.root(run, JobKind.of(target), targetOf(target)), run.input(), run.delay(), false);
    }

    private void submitFlow(SubmitRuns submit, NewRun run, String hash) throws DatabaseLost {
        LiveFlow flow = flows.fresh(run.id(), () -> submit.newFlow(run, hash));
        QueuedJob root = flow.root();
        switch (flow.keys().cache()) {
            case CacheUse.Asking.None _ -> accept(flow, run.input(), run.delay());
            case CacheUse.Asking.Unusable unusable ->
                begin(flow, run.input(), flow.fail(unusable.error()), run.delay());
            case CacheUse.Asking.Asked(CacheUse use) -> {
                Optional<Json> known = starter.caches().findRun(root, hash, use);
                if (known.isEmpty()) {
                    accept(flow, run.input(), run.delay());
                } else {
                    Outcome outcome = new Outcome.Succeeded(known.get());
                    batch.add(MarkCachedStatement.SECTION, root.id());
                    recordEnd(root, run.input(), outcome);
                    batch.endedRuns.put(run.id(), outcome);
                }
            }
        }
    }

    /** Accepts the root job of a flow that was not there before: it begins, or waits for its turn. */
    void accept(LiveFlow flow, Json input, Optional<Duration> delay) throws DatabaseLost {
        QueuedJob root = flow.root();
        starter.caches().keepRun(flow);
        flow.knowGroups(List.of());
        switch (flow.keys().limit()) {
            case RunLimit.None _ -> begin(flow, input, flow.reopen(), delay);
            case RunLimit.Limited limited -> {
                batch.add(
                        EnqueueJobsStatement.SECTION,
                        new EnqueuedJob(
                                root,
                                input,
                                Optional.empty(),
                                delay.filter(Duration::isPositive),
                                false,
                                Optional.empty(),
                                Optional.of(RunStarter.limitKey(root, limited))));
                batch.startsFollow = true;
            }
            case RunLimit.Unusable unusable -> begin(flow, input, flow.fail(unusable.error()), delay);
        }
    }

    private void begin(LiveFlow flow, Json input, Decision first, Optional<Duration> delay) throws DatabaseLost {
        QueuedJob root = flow.root();
        List<Decision> decisions = starter.settle(flow, first);
        Optional<Outcome> end = RunStarter.endOf(decisions);
        if (end.isPresent()) {
            recordEnd(root, input, end.get());
            ended(flow, end.get(), decisions.size() > 1);
        } else {
            batch.add(
                    EnqueueJobsStatement.SECTION,
                    new EnqueuedJob(
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
            flows.put(flow);
        }
        for (Decision decision : decisions) {
            carryOut(flow, decision, delay, true);
        }
    }

    /** A flow that ends as it is accepted. */
    private void recordEnd(QueuedJob root, Json input, Outcome outcome) {
        batch.add(
                RecordStepsStatement.SECTION,
                new RecordedStep(
                        root.id(),
                        root.run(),
                        root.workspace(),
                        JobKind.FLOW,
                        root.target(),
                        root.name(),
                        "",
                        input,
                        outcome));
    }

    /** What follows the end of a flow. */
    private void ended(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {
        RunId run = flow.root().run();
        batch.endedRuns.put(run, outcome);
        starter.ended(flow, outcome, leavesJobs);
        groups.runEnded(flow);
        if (outcome instanceof Outcome.Succeeded(Json output)
                && flow.model().definition().options().cache().isPresent()) {
            batch.add(KeepResultsStatement.SECTION, new KeptResult(run, "", output));
        }
        flow.model().erasures().forEach(keys -> batch.add(EraseStepsStatement.SECTION, new ErasedSteps(run, keys)));
    }

    void attemptEnded(EndAttempt ended) throws DatabaseLost {
        Optional<LeasedJob> lease = findLease(ended);
        if (lease.isEmpty()) {
            boolean alreadyDone = batch.settled(ended.job())
                            .filter(settled -> settled.token().equals(ended.token()))
                            .isPresent()
                    || store.isFinishedBy(ended.job(), ended.token());
            String refusal = alreadyDone ? "" : REFUSED_LATE;
            batch.acknowledge(ended.listener(), new ResultAck(ended.job(), ended.token(), refusal));
            return;
        }
        settle(ended, lease.get());
        batch.acknowledge(ended.listener(), new ResultAck(ended.job(), ended.token(), ""));
    }

    private Optional<LeasedJob> findLease(EndAttempt ended) throws DatabaseLost {
        if (batch.settled(ended.job()).isPresent()) {
            return Optional.empty();
        }
        Optional<LeasedJob> known =
                context.leases().find(ended.job()).filter(lease -> lease.token().equals(ended.token()));
        return known.isPresent()
                ? known
                : store.findLease(ended.job(), ended.token()).map(this::seated);
    }

    private LeasedJob seated(LeasedJob lease) {
        Seat seat = context.slots()
                .seatOf(lease.seat().session(), lease.job().options().tag());
        return new LeasedJob(lease.job(), seat, lease.token());
    }

    private void settle(EndAttempt ended, LeasedJob lease) throws DatabaseLost {
        QueuedJob job = lease.job();
        batch.settle(lease);
        context.slots().release(lease.seat(), 1);
        switch (AttemptDecision.decide(
                job, ended.result(), context.lossesMax(), context.random().nextDouble())) {
            case AttemptDecision.Requeue requeue -> {
                batch.add(RequeueJobsStatement.SECTION, new RequeuedJob(lease, requeue));
                if (job.options().limit().isPresent()) {
                    batch.add(ParkAgainStatement.SECTION, job);
                }
                if (!requeue.note().isEmpty()) {
                    batch.afterCommit.add(() -> context.signals().note(job, requeue.note()));
                }
            }
            case AttemptDecision.End(Outcome outcome) -> {
                batch.add(
                        FinishJobsStatement.SECTION,
                        new FinishedJob(lease, outcome, ended.runMicros(), ended.workerName()));
                groups.jobEnded(lease, ended.result(), ended.workerName());
                if (job.isRoot()) {
                    batch.endedRuns.put(job.run(), outcome);
                } else if (ended.failsRun() && outcome instanceof Outcome.Failed(JobError error)) {
                    fail(job.run(), error);
                } else {
                    advance(job.run(), new FlowEvent.StepEnded(new StepKey(job.stepKey()), outcome));
                }
            }
        }
    }

    /** The flow in progress, from memory or from the database. */
    Optional<LiveFlow> findFlow(RunId run) throws DatabaseLost {
        Optional<LiveFlow> known = flows.find(run);
        if (known.isPresent()) {
            return known;
        }
        Optional<LiveFlow> loaded =
                Optional.ofNullable(loader.load(List.of(run)).get(run));
        loaded.ifPresent(flows::put);
        return loaded;
    }

    /** Reads at once what the items of a batch need of their waits. */
    void preload(List<LaneCommand> items) throws DatabaseLost {
        List<LaneCommand> ofWaits = items.stream()
                .filter(item ->
                        item instanceof ReceiveSignal || item instanceof EndDueWait || item instanceof EndChildWait)
                .toList();
        if (!ofWaits.isEmpty()) {
            // The flows first: where their versions still hold at the commit, so does what is read after them.
            loader.loadMissing(ofWaits, context.leases(), flows);
            waits.preload(ofWaits);
        }
    }

    /** Moves the run's flow; false where it has none in progress. */
    boolean advance(RunId run, FlowEvent event) throws DatabaseLost {
        if (batch.endedRuns.containsKey(run)) {
            return false;
        }
        Optional<LiveFlow> found = findFlow(run);
        if (found.isEmpty()) {
            return false;
        }
        LiveFlow flow = found.get();
        if (event instanceof FlowEvent.StepEnded(StepKey step, Outcome.Succeeded(Json result))
                && flow.model().keepsResult(step)) {
            batch.add(KeepResultsStatement.SECTION, new KeptResult(run, step.text(), result));
        }
        Decision decision = flow.on(event);
        follow(flow, decision);
        return true;
    }

    /** Ends the run now, as failed, where it has a flow in progress. */
    void fail(RunId run, JobError error) throws DatabaseLost {
        Optional<LiveFlow> flow = batch.endedRuns.containsKey(run) ? Optional.empty() : findFlow(run);
        if (flow.isPresent()) {
            follow(flow.get(), flow.get().fail(error));
        }
    }

    /** Makes a transition of a flow that is there. */
    void follow(LiveFlow flow, Decision first) throws DatabaseLost {
        List<Decision> decisions = starter.settle(flow, first);
        Optional<Outcome> end = RunStarter.endOf(decisions);
        batch.transitions(flow.root().run(), flow.version(), decisions.size(), end);
        if (end.isPresent()) {
            ended(flow, end.get(), flow.leavesJobs() || decisions.size() > 1);
        }
        for (Decision decision : decisions) {
            carryOut(flow, decision, Optional.empty(), false);
        }
    }

    /** Whether the step is live; where it is not as far as memory knows, the database is asked. */
    boolean isLive(RunId run, StepKey key) throws DatabaseLost {
        return findFlow(run, flow -> flow.isLive(key))
                .filter(flow -> flow.isLive(key))
                .isPresent();
    }

    /**
     * The run's flow; read anew where what is remembered is not as expected: another scheduler may have moved it, and what only refuses writes nothing
     * that would show it.
     */
    Optional<LiveFlow> findFlow(RunId run, Predicate<LiveFlow> expected) throws DatabaseLost {
        Optional<LiveFlow> known = findFlow(run);
        if (known.filter(expected).isPresent() || batch.moves(run)) {
            return known;
        }
        flows.forget(run);
        return findFlow(run);
    }

    private void endWaits() throws DatabaseLost {
        for (Optional<EndedWait> ended = waits.nextEnded(); ended.isPresent(); ended = waits.nextEnded()) {
            EndedWait wait = ended.get();
            if (advance(wait.run(), new FlowEvent.StepEnded(new StepKey(wait.stepKey()), wait.outcome()))) {
                batch.add(EndWaitsStatement.SECTION, wait);
            }
        }
    }

    /** Notes the transition: in the root's own row where this batch inserts it, else as a change of the row that is there. */
    void moved(LiveFlow flow, Optional<Outcome> end) {
        batch.transition(flow.root().run(), flow.version(), end);
    }

    private void carryOut(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew)
            throws DatabaseLost {
        QueuedJob root = flow.root();
        groups.endGroups(flow, decision);
        for (StepRecord step : decision.records()) {
            batch.add(
                    RecordStepsStatement.SECTION,
                    new RecordedStep(
                            context.ids().nextJob(root.run()),
                            root.run(),
                            root.workspace(),
                            StepKinds.of(step.kind()),
                            "",
                            "",
                            step.key().text(),
                            step.input(),
                            step.outcome()));
        }
        for (Withdrawal gone : decision.withdrawals()) {
            batch.withdraw(root.run(), gone);
            batch.abandonsRuns |= flow.model().awaitsRuns();
        }
        waits.begin(root, decision.waits(), delay, isNew);
        int inProgress = Math.max(0, flow.jobsInProgress() - decision.jobs().size());
        for (StartJob job : decision.jobs()) {
            place(step(flow, job, inProgress++), job.input(), delay, flow.isHeld());
        }
        groups.replaceFirst(flow);
    }

    private QueuedJob step(LiveFlow flow, StartJob job, int inProgress) throws DatabaseLost {
        QueuedJob root = flow.root();
        QueuedJob queued = groups.noted(new QueuedJob(
                context.ids().nextJob(root.run()),
                root.run(),
                root.workspace(),
                JobKind.of(job.target()),
                targetOf(job.target()),
                job.name(),
                job.key().text(),
                job.options(),
                ClaimOrder.keyOf(root.orderKey(), inProgress),
                job.attempt(),
                Losses.NONE,
                root.traceparent(),
                groups.join(flow, job.key(), job.options().tag())));
        if (job.attempt() > 1) {
            batch.add(RaiseAttemptsStatement.SECTION, queued);
        }
        return queued;
    }

    static String targetOf(JobTarget target) {
        return switch (target) {
            case JobTarget.Script script -> script.hash();
            case JobTarget.Handler handler -> handler.name();
        };
    }

    /** Gives the job to a worker with room, where it overtakes nobody, its run is not paused and it is under no limit; else puts it into the queue. */
    void place(QueuedJob job, Json input, Optional<Duration> delay, boolean held) {
        Optional<Duration> wait = delay.filter(Duration::isPositive);
        String tag = job.queueTag();
        boolean isLimited = job.options().limit().isPresent();
        if (isLimited) {
            batch.add(ParkJobsStatement.SECTION, job);
        }
        boolean mayPass =
                !held && !isLimited && wait.isEmpty() && context.backlog().mayPass(tag, job.order());
        Optional<LeasedJob> lease = mayPass
                ? context.slots()
                        .reserve(tag)
                        .map(seat -> new LeasedJob(job, seat, context.ids().nextLeaseToken()))
                : Optional.empty();
        batch.add(EnqueueJobsStatement.SECTION, new EnqueuedJob(job, input, lease, wait, held, Optional.empty()));
    }
}
