package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.core.AttemptDecision;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An attempt has ended.
 *
 * @param runMicros how long it ran; negative where it never began
 * @param listener told once the result is durable or refused
 * @param reservedBytes what its sender has reserved for it; the lane gives it back once it is done with the command
 * @param postponed how often the result has been put off because it could not be recorded
 * @param bug what is to end because Millrace itself has failed on the result
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
    /** A result that could not be recorded is tried again after this time, which doubles each time ... */
    private static final Duration POSTPONE_MIN = Duration.ofSeconds(1);
    /** ... up to this. */
    private static final Duration POSTPONE_MAX = Duration.ofMinutes(1);
    /** After a result was postponed this often, its attempt is recorded as failed instead. */
    private static final int POSTPONED_MAX = 3;

    /** What a bug of ours ends. */
    enum Bug {
        /** None was met. */
        NONE,
        /** The step fails, and the flow decides what follows. */
        FAILS_STEP,
        /** What follows from that cannot be worked out either: the run fails. */
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

    @Override
    public Optional<RunId> run(Leases leases) {
        return leases.find(job).map(LeasedJob::job).map(QueuedJob::run);
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return leases.find(job)
                .map(LeasedJob::job)
                .filter(leased -> !leased.isRoot())
                .map(QueuedJob::run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.jobs().attemptEnded(this);
    }

    /** Whether its run ends with it as failed, whatever its flow would make of it. */
    boolean failsRun() {
        return bug == Bug.FAILS_RUN;
    }

    /** What it asks of its flow, where its lease is in memory and it is not tried again. */
    @Override
    public Optional<Move> knownMove(LaneContext context) {
        Optional<LeasedJob> lease =
                context.leases().find(job).filter(found -> found.token().equals(token));
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
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context) {
        context.leases().find(job).ifPresent(context.leases()::remove);
        return Optional.of(
                refused.isBadValue()
                        ? withResult(new AttemptResult.Failed(JobError.permanent(
                                "ResultError",
                                "The database cannot keep the result: " + refused.firstLine()
                                        + ". Return a smaller or flatter JSON value.")))
                        : this);
    }

    /** The attempt ends with an error of ours, and where not even that can be followed, its run does; empty where both were tried. */
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

    /** What is not recorded is not acknowledged: the worker keeps the result and sends it again. */
    @Override
    public void fail(Throwable cause) {}

    /**
     * A result that could not be recorded is tried again later. It is not acknowledged: the worker keeps it, and the job stays leased until it
     * is recorded. A result that is refused for long is recorded as a failure.
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
