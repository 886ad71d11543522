package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Cancels a run whose start deadline has passed, unless the run has started. */
record CancelUnstartedRun(RunId run, CompletableFuture<Void> done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(StartDeadlineFeature.class).cancel(this);
    }

    @Override
    public boolean isUrgent() {
        return true;
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
