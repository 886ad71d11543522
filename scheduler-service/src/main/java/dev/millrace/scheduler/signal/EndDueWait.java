package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FailRun;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.FlushRefused;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends a wait whose time has come. {@code done} completes when the wait has ended, or turns out to have ended before.
 */
record EndDueWait(DueWait due, CompletableFuture<Void> done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(due.run());
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return Optional.of(due.run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(WaitFeature.class).due(this);
    }

    @Override
    public boolean isFoundAgain() {
        return true;
    }

    @Override
    public void putOff() {
        done.complete(null);
    }

    @Override
    public boolean repeats(LaneCommand other) {
        return other instanceof EndDueWait(DueWait known, var _) && known.equals(due);
    }

    /**
     * Drops the command if the wait has ended. Its step may be waiting again, and memory knows steps only by their
     * keys.
     */
    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        if (store.isQueued(due.id())) {
            return Optional.of(this);
        }
        done.complete(null);
        return Optional.empty();
    }

    /**
     * Fails the run after a bug. Otherwise the due wait would be found again and again, and its run would never
     * continue.
     */
    @Override
    public Optional<LaneCommand> afterBug(Throwable bug) {
        return Optional.of(new FailRun(due.run(), LaneCommand.internalError(bug), done));
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
