package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.FlushRefused;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Begins a pending run.
 *
 * @param answer the time until the next try, if only time is missing; does not wait for evaluations
 * @param done completed once the command has been carried out, or never will be
 */
record StartPendingRun(
        RunStart start, CompletableFuture<Optional<Duration>> answer, CompletableFuture<@Nullable Void> done)
        implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(start.run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(StartFeature.class).start(this);
        plan.afterCommit(() -> done.complete(null));
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return start instanceof RunStart.Begun begun && begun.model().computes();
    }

    /** A run that begins with a value that the database cannot keep would be refused again and again. */
    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context) {
        return Optional.of(
                refused.isBadValue() && start instanceof RunStart.Begun
                        ? new StartPendingRun(
                                new RunStart.Failed(
                                        start.run(),
                                        start.version(),
                                        JobError.permanent(
                                                "ResultError",
                                                "The database cannot keep a value with which the run begins: "
                                                        + refused.firstLine()
                                                        + ". Let the flow compute a smaller or flatter value.")),
                                answer,
                                done)
                        : this);
    }

    @Override
    public boolean isFoundAgain() {
        return true;
    }

    @Override
    public void putOff() {
        answer.complete(Optional.empty());
    }

    @Override
    public boolean repeats(LaneCommand other) {
        return other instanceof StartPendingRun;
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
        answer.completeExceptionally(cause);
    }
}
