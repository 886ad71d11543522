package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A step waits for the worker of its group in vain; {@code tag} is the one under which it waits. */
public record FailStep(FailedStep step, String tag, CompletableFuture<Void> done) implements LaneCommand {
    /** Ends a step as failed that waits, under this tag, for the worker of its group in vain; completes also where it does not. */
    public static FailStep of(RunId run, String stepKey, JobError error, String tag, CompletableFuture<Void> done) {
        return new FailStep(new FailedStep(run, stepKey, error), tag, done);
    }

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
