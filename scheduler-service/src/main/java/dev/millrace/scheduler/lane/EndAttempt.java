package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.AttemptDecision;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Command to record the end of an attempt.
 *
 * @param runMicros duration of the attempt in microseconds; negative if it never began
 * @param listener called once the result is durable or rejected
 * @param reservedBytes memory that the sender has reserved; the lane releases it once it is done with the command
 * @param postponed how often the result was postponed because it could not be recorded
 * @param bug what to end because Millrace itself failed on the result
 */
record EndAttempt(
        JobId job,
        LeaseToken token,
        AttemptResult result,
        long runMicros,
        String workerName,
        ResultListener listener,
        long reservedBytes,
        int postponed,
        Bug bug)
        implements LaneCommand {
    /** Delay before a result that could not be recorded is tried again; it doubles each time. */
    private static final Duration POSTPONE_MIN = Duration.ofSeconds(1);
    /** Longest delay before a postponed result is tried again. */
    private static final Duration POSTPONE_MAX = Duration.ofMinutes(1);
    /** Number of postponements after which the attempt is recorded as failed instead. */
    private static final int POSTPONED_MAX = 3;

    /** What a defect of Millrace ends. */
    enum Bug {
        /** Nothing: no defect was met. */
        NONE,
        /** The step fails, and its flow decides what follows. */
        FAILS_STEP,
        /** The run fails, because its flow cannot decide what follows either. */
        FAILS_RUN
    }

    EndAttempt(
            JobId job,
            LeaseToken token,
            AttemptResult result,
            long runMicros,
            String workerName,
            ResultListener listener,
            long reservedBytes) {
        this(job, token, result, runMicros, workerName, listener, reservedBytes, 0, Bug.NONE);
    }

    LeaseKey lease() {
        return new LeaseKey(job, token);
    }

    @Override
    public Optional<RunId> run(Leases leases) {
        return leases.find(lease()).map(LeasedJob::job).map(QueuedJob::run);
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return leases.find(lease())
                .map(LeasedJob::job)
                .filter(leased -> !leased.isRoot())
                .map(QueuedJob::run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.jobs().attemptEnded(this);
    }

    /** Whether the run fails with this attempt, whatever its flow would decide. */
    boolean failsRun() {
        return bug == Bug.FAILS_RUN;
    }

    /** The move of the flow, if the lease is in memory and the job is not retried. */
    @Override
    public Optional<Move> knownMove(LaneContext context) {
        Optional<LeasedJob> lease = context.leases().find(lease());
        if (lease.isEmpty() || lease.get().job().isRoot() || failsRun()) {
            return Optional.empty();
        }
        QueuedJob leased = lease.get().job();
        return AttemptDecision.decide(leased, result, context.lossesMax(), 0)
                        instanceof AttemptDecision.End(var outcome)
                ? Optional.of(new Move.On(new FlowEvent.StepEnded(new StepKey(leased.stepKey()), outcome)))
                : Optional.empty();
    }

    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        readAgain(store, context);
        return Optional.of(
                refused.isBadValue()
                        ? withResult(new AttemptResult.Failed(JobError.permanent(
                                "ResultError",
                                "The database cannot keep the result: " + refused.firstLine()
                                        + ". Return a smaller or flatter JSON value.")))
                        : this);
    }

    /** Corrects what memory knows of the lease, since the database has rejected what followed from it. */
    private void readAgain(LaneStore store, LaneContext context) throws DatabaseLost {
        Optional<LeasedJob> known = context.leases().find(lease());
        if (known.isEmpty()) {
            return;
        }
        SlotRef slot = known.get().slot();
        store.findLease(job, token)
                .ifPresentOrElse(
                        stored -> context.leases().refresh(new LeasedJob(stored.job(), slot, token)),
                        () -> context.leases()
                                .end(lease())
                                .ifPresent(ended -> context.slots().release(ended.slot(), 1)));
    }

    /**
     * The attempt with an internal error as its result; if that failed before, with the failure of its run. Empty if
     * both have failed.
     */
    @Override
    public Optional<LaneCommand> afterBug(Throwable thrown) {
        return switch (bug) {
            case NONE ->
                Optional.of(withResult(new AttemptResult.Failed(LaneCommand.internalError(thrown)))
                        .with(Bug.FAILS_STEP));
            case FAILS_STEP -> Optional.of(with(Bug.FAILS_RUN));
            case FAILS_RUN -> Optional.empty();
        };
    }

    /** Does nothing: a result that is not acknowledged stays with the worker, which sends it again. */
    @Override
    public void fail(Throwable cause) {}

    /**
     * Tries the result again later. The result is not acknowledged until then, so the worker keeps it and the job stays
     * leased. A result that keeps being rejected is recorded as a failure.
     */
    @Override
    public void giveUp(Throwable cause, Consumer<LaneCommand> lane) {
        EndAttempt postponedOnceMore =
                new EndAttempt(job, token, result, runMicros, workerName, listener, 0, postponed + 1, bug);
        EndAttempt later = postponedOnceMore.postponed == POSTPONED_MAX
                ? postponedOnceMore.withResult(new AttemptResult.Failed(JobError.permanent(
                        INTERNAL_ERROR, "Millrace could not record the result of this step: " + cause.getMessage())))
                : postponedOnceMore;
        long millis = POSTPONE_MIN.toMillis() << Math.min(postponed, POSTPONED_MAX);
        CompletableFuture.delayedExecutor(Math.min(millis, POSTPONE_MAX.toMillis()), TimeUnit.MILLISECONDS)
                .execute(() -> lane.accept(later));
    }

    private EndAttempt with(Bug reach) {
        return new EndAttempt(job, token, result, runMicros, workerName, listener, reservedBytes, postponed, reach);
    }

    private EndAttempt withResult(AttemptResult other) {
        return new EndAttempt(job, token, other, runMicros, workerName, listener, reservedBytes, postponed, bug);
    }
}
