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
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Command to start a run from the model of another.
 *
 * @param id of the operation's record
 * @param call the call that asks for the run, if it leaves an event in the audit
 * @param decides whether the run begins with this command, which is possible if that evaluates nothing; otherwise it is
 *     accepted as a pending run
 */
record RerunRun(
        UUID id,
        Rerun rerun,
        OperationNote note,
        Optional<AuditedCall> call,
        boolean decides,
        CompletableFuture<OperationResult> answer)
        implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(rerun.run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(OperationFeature.class).rerun(this);
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return true;
    }

    @Override
    public Optional<LaneCommand> undecided() {
        return decides ? Optional.of(new RerunRun(id, rerun, note, call, false, answer)) : Optional.empty();
    }

    @Override
    public boolean isDone(LaneStore store) throws DatabaseLost {
        if (!new LaneOperationStore(store.db()).hasOperation(rerun.original(), id)) {
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
