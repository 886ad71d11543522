package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.queue.DueWait;
import dev.millrace.scheduler.queue.EndedChild;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.SignalResult;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Something that changes state, for a lane to make durable. */
sealed interface LaneItem {
    /** Why an item fails on which Millrace itself does. */
    String INTERNAL_ERROR = "InternalError";

    /** The run whose events it stands among; empty where it stands among none, or that is not known. */
    default Optional<RunId> run(Leases leases) {
        return switch (this) {
            case Submit submit ->
                Optional.of(submit.submission().runs().getFirst().id());
            case AttemptEnded ended ->
                leases.find(ended.job()).map(LeasedJob::job).map(QueuedJob::run);
            case Operate operate -> Optional.of(operate.run());
            case Signal signal -> Optional.of(signal.run());
            case WaitDue due -> Optional.of(due.due().run());
            case ChildEnded ended -> Optional.of(ended.end().parent());
            case RerunRun rerun -> Optional.of(rerun.rerun().run());
            case Start start -> Optional.of(start.start().run());
            case Expire expire -> Optional.of(expire.run());
            case FailStep failed -> Optional.of(failed.step().run());
            case FailRun failed -> Optional.of(failed.run());
            case Wake _, Prepared _, Resync _ -> Optional.empty();
        };
    }

    /** Whether whoever brought it finds it again until it is done. */
    default boolean isFoundAgain() {
        return switch (this) {
            case WaitDue _, ChildEnded _, Start _ -> true;
            case Submit _, AttemptEnded _, Operate _, Signal _, RerunRun _, Expire _, FailStep _, FailRun _ -> false;
            case Wake _, Prepared _, Resync _ -> false;
        };
    }

    /**
     * It waits for values, or behind others that do. Whoever goes through what is due must not wait with it, and need not: what is due is found
     * again until it is done.
     */
    default void putOff() {
        switch (this) {
            case WaitDue due -> due.done().complete(null);
            case ChildEnded ended -> ended.done().complete(null);
            case Start start -> start.answer().complete(Optional.empty());
            case Submit _, AttemptEnded _, Operate _, Signal _, RerunRun _, Expire _, FailStep _, FailRun _ -> {}
            case Wake _, Prepared _, Resync _ -> {}
        }
    }

    /** Whether it says the same as another item of its run, so that one of them is enough. */
    default boolean repeats(LaneItem other) {
        return switch (this) {
            case WaitDue(DueWait due, var _) -> other instanceof WaitDue(DueWait known, var _) && known.equals(due);
            case ChildEnded(EndedChild end, var _) ->
                other instanceof ChildEnded(EndedChild known, var _) && known.equals(end);
            case Start _ -> other instanceof Start;
            case Submit _, AttemptEnded _, Operate _, Signal _, RerunRun _, Expire _, FailStep _, FailRun _ -> false;
            case Wake _, Prepared _, Resync _ -> false;
        };
    }

    /** Nothing of it will happen: whoever waits for it is told why. */
    default void fail(Throwable cause) {
        switch (this) {
            case Submit submit -> submit.answer().completeExceptionally(cause);
            case Operate operate -> operate.answer().completeExceptionally(cause);
            case Signal signal -> signal.answer().completeExceptionally(cause);
            case WaitDue due -> due.done().completeExceptionally(cause);
            case ChildEnded ended -> ended.done().completeExceptionally(cause);
            case RerunRun rerun -> rerun.answer().completeExceptionally(cause);
            case Start start -> start.answer().completeExceptionally(cause);
            case Expire expire -> expire.answer().completeExceptionally(cause);
            case FailStep failed -> failed.done().completeExceptionally(cause);
            case FailRun failed -> failed.done().completeExceptionally(cause);
            // What is not recorded is not acknowledged: the worker keeps the result and sends it again.
            case AttemptEnded _ -> {}
            case Wake _, Prepared _, Resync _ -> {}
        }
    }

    /** What is to be done instead where Millrace failed on it; empty where nothing is. */
    default Optional<LaneItem> afterBug(Throwable bug) {
        return switch (this) {
            case AttemptEnded ended -> ended.insteadOf(bug);
            // It would be found again without end, and its run would wait for ever.
            case WaitDue(DueWait due, var done) -> Optional.of(new FailRun(due.run(), internalError(bug), done));
            case ChildEnded(EndedChild end, var done) ->
                Optional.of(new FailRun(end.parent(), internalError(bug), done));
            case Submit _, Operate _, Signal _, RerunRun _, Start _, Expire _, FailStep _, FailRun _ ->
                Optional.empty();
            case Wake _, Prepared _, Resync _ -> Optional.empty();
        };
    }

    private static JobError internalError(Throwable bug) {
        return JobError.permanent(INTERNAL_ERROR, "Millrace failed on this step: " + bug);
    }

    /** Runs to accept; {@code models} holds the compiled flows they name, by hash. */
    record Submit(Submission submission, Map<String, FlowModel> models, CompletableFuture<SubmitResult> answer)
            implements LaneItem {
        /** The flow that one of the runs is of. */
        FlowModel model(NewRun run, String flowHash) {
            FlowModel model = models.get(flowHash);
            if (model == null) {
                throw new IllegalStateException("flow " + flowHash + " was submitted without its model");
            }
            return model.in(run.env());
        }

        /** What was asked for with its runs beside what their root jobs keep. */
        List<RunOption> options() {
            return submission.runs().stream()
                    .filter(run ->
                            run.env().isPresent() || run.options().limit().isPresent())
                    .map(run -> new RunOption(run.id(), run.env(), run.options().limit()))
                    .toList();
        }
    }

    /**
     * An attempt has ended.
     *
     * @param runMicros how long it ran; negative where it never began
     * @param listener told once the result is durable or refused
     * @param reservedBytes what its sender has reserved for it; the lane gives it back once it is done with the item
     * @param postponed how often the result has been put off because it could not be recorded
     * @param bug what is to end because Millrace itself has failed on the result
     */
    record AttemptEnded(
            JobId job,
            LeaseToken token,
            AttemptResult result,
            long runMicros,
            String workerName,
            ResultListener listener,
            long reservedBytes,
            int postponed,
            Bug bug)
            implements LaneItem {
        /** What a bug of ours ends. */
        enum Bug {
            /** None was met. */
            NONE,
            /** The step fails, and the flow decides what follows. */
            FAILS_STEP,
            /** What follows from that cannot be worked out either: the run fails. */
            FAILS_RUN
        }

        AttemptEnded(
                JobId job,
                LeaseToken token,
                AttemptResult result,
                long runMicros,
                String workerName,
                ResultListener listener,
                long reservedBytes) {
            this(job, token, result, runMicros, workerName, listener, reservedBytes, 0, Bug.NONE);
        }

        /** Whether its run ends with it as failed, whatever its flow would make of it. */
        boolean failsRun() {
            return bug == Bug.FAILS_RUN;
        }

        /** The attempt ends with an error of ours, and where not even that can be followed, its run does; empty where both were tried. */
        private Optional<LaneItem> insteadOf(Throwable thrown) {
            return switch (bug) {
                case NONE ->
                    Optional.of(withResult(new AttemptResult.Failed(internalError(thrown)))
                            .with(Bug.FAILS_STEP));
                case FAILS_STEP -> Optional.of(with(Bug.FAILS_RUN));
                case FAILS_RUN -> Optional.empty();
            };
        }

        private AttemptEnded with(Bug reach) {
            return new AttemptEnded(
                    job, token, result, runMicros, workerName, listener, reservedBytes, postponed, reach);
        }

        AttemptEnded withResult(AttemptResult other) {
            return new AttemptEnded(job, token, other, runMicros, workerName, listener, reservedBytes, postponed, bug);
        }

        /** To be tried again later; the lane is done with it until then, and has given back what was reserved. */
        AttemptEnded postponedOnceMore() {
            return new AttemptEnded(job, token, result, runMicros, workerName, listener, 0, postponed + 1, bug);
        }
    }

    /** Something is to be done to a run; {@code id} is that of its record. */
    record Operate(
            UUID id, RunId run, RunOperation operation, OperationNote note, CompletableFuture<OperationResult> answer)
            implements LaneItem {}

    /** Something from outside for a run. */
    record Signal(RunId run, RunSignal signal, CompletableFuture<SignalResult> answer) implements LaneItem {}

    /** The time of a wait has come; {@code done} completes once it has ended, or was found to have. */
    record WaitDue(DueWait due, CompletableFuture<Void> done) implements LaneItem {}

    /** A run that another waits for has ended; {@code done} completes once that one knows, or was found to wait no longer. */
    record ChildEnded(EndedChild end, CompletableFuture<Void> done) implements LaneItem {}

    /** A run is to begin after the model of another; {@code id} is that of its record. */
    record RerunRun(UUID id, Rerun rerun, OperationNote note, CompletableFuture<OperationResult> answer)
            implements LaneItem {}

    /** A run that stands in the queue to be started; the answer tells when to try again, where that is a question of time. */
    record Start(RunStart start, CompletableFuture<Optional<Duration>> answer) implements LaneItem {}

    /** The time of a run may be over. */
    record Expire(RunId run, CompletableFuture<Void> answer) implements LaneItem {}

    /** A step waits for the worker of its group in vain; {@code tag} is the one under which it waits. */
    record FailStep(FailedStep step, String tag, CompletableFuture<Void> done) implements LaneItem {}

    /** Millrace failed on what a run was to do next, and the run ends with that. */
    record FailRun(RunId run, JobError error, CompletableFuture<Void> done) implements LaneItem {}

    /** There may be both room and waiting jobs. */
    record Wake() implements LaneItem {}

    /** Values that items of a run waited for are there. */
    record Prepared(RunId run, Preparation preparation) implements LaneItem {}

    /** The sessions connected here are to be given what the database says they hold. */
    record Resync(Runnable done) implements LaneItem {}
}
