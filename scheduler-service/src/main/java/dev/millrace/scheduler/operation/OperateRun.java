package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.audit.AuditedCall;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Command of an operation on an existing run.
 *
 * @param id of the operation's record
 * @param call the call that asks for the operation, if it leaves an event in the audit
 * @param decides whether a retried run continues with this command, which is possible if that evaluates nothing;
 *     otherwise it returns to the queue as a pending run
 */
record OperateRun(
        UUID id,
        RunId run,
        RunOperation operation,
        OperationNote note,
        Optional<AuditedCall> call,
        boolean decides,
        CompletableFuture<OperationResult> answer)
        implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return operation instanceof RunOperation.Retry ? Optional.empty() : Optional.of(run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(OperationFeature.class).operate(this);
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return operation instanceof RunOperation.Retry || LaneCommand.super.mayCompute(flow);
    }

    @Override
    public Optional<LaneCommand> undecided() {
        return decides && operation instanceof RunOperation.Retry
                ? Optional.of(new OperateRun(id, run, operation, note, call, false, answer))
                : Optional.empty();
    }

    @Override
    public boolean isUrgent() {
        return operation instanceof RunOperation.Cancel;
    }

    @Override
    public boolean isDone(LaneStore store) throws DatabaseLost {
        if (!new LaneOperationStore(store.db()).hasOperation(run, id)) {
            return false;
        }
        answer.complete(new OperationResult.Done(true));
        return true;
    }

    @Override
    public void fail(Throwable cause) {
        answer.completeExceptionally(cause);
    }

    @Override
    public void tellUnavailable(MillraceException unavailable) {
        answer.completeExceptionally(unavailable);
    }
}
