package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Fails a run whose time limit has expired. */
record ExpireRun(RunId run, CompletableFuture<Void> answer) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(run);
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(StartFeature.class).expire(this);
    }

    @Override
    public boolean isUrgent() {
        return true;
    }

    @Override
    public void fail(Throwable cause) {
        answer.completeExceptionally(cause);
    }
}
