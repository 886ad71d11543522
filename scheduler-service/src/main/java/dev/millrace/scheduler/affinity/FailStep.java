package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Fails a step whose group will never get its worker. {@code tag} is the tag under which the step waits. */
public record FailStep(FailedStep step, String tag, CompletableFuture<Void> done) implements LaneCommand {
    /** Creates the command. {@code done} also completes if the step is not waiting. */
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
