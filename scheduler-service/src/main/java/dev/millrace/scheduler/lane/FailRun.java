package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Command to fail a run because Millrace itself failed on its next move. */
public record FailRun(RunId run, JobError error, CompletableFuture<Void> done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.flows().fail(run, error);
        plan.afterCommit(() -> done.complete(null));
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return false;
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
