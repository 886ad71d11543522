package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.FlowModel;
import dev.millrace.scheduler.queue.DueWait;
import dev.millrace.scheduler.queue.EndedChild;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
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
     */
    record AttemptEnded(
            JobId job,
            LeaseToken token,
            AttemptResult result,
            long runMicros,
            String workerName,
            ResultListener listener)
            implements LaneItem {
        AttemptEnded withResult(AttemptResult other) {
            return new AttemptEnded(job, token, other, runMicros, workerName, listener);
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

    /** There may be both room and waiting jobs. */
    record Wake() implements LaneItem {}

    /** The sessions connected here are to be given what the database says they hold. */
    record Resync(Runnable done) implements LaneItem {}
}
