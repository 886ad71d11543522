package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.audit.AuditedCall;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/** Passes operations on runs to their lanes. */
public final class LaneOperations implements RunOperations {
    private final Lanes lanes;
    private final IdSource ids;

    public LaneOperations(Lanes lanes, IdSource ids) {
        this.lanes = lanes;
        this.ids = ids;
    }

    @Override
    public CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note) {
        return lanes.ask(
                run,
                answer -> new OperateRun(
                        ids.nextJob(run).value(), run, operation, note, AuditedCall.present(), true, answer));
    }

    @Override
    public CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note) {
        return lanes.ask(
                rerun.run(),
                answer -> new RerunRun(
                        ids.nextJob(rerun.original()).value(), rerun, note, AuditedCall.present(), true, answer));
    }
}
