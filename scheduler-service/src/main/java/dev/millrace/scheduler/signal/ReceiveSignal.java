package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.audit.AuditedCall;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Delivers a signal to a run.
 *
 * @param call the call that sends the signal, if it leaves an event in the audit
 */
record ReceiveSignal(RunId run, RunSignal signal, Optional<AuditedCall> call, CompletableFuture<SignalResult> answer)
        implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(WaitFeature.class).signal(this);
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
