package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A step waits for the worker of its group in vain; {@code tag} is the one under which it waits. */
record FailStep(FailedStep step, String tag, CompletableFuture<Void> done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(step.run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(AffinityFeature.class).fail(this);
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
