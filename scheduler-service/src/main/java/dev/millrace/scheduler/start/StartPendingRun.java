package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Begins a pending run. The answer is the time until the next try, if only time is missing. */
record StartPendingRun(RunStart start, CompletableFuture<Optional<Duration>> answer) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(start.run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(StartFeature.class).start(this);
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return start instanceof RunStart.Begun begun && begun.model().computes();
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
        answer.completeExceptionally(cause);
    }
}
