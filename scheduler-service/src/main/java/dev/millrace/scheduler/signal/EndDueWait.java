package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.FlushRefused;
import dev.millrace.scheduler.lane.FoundCommand;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends a wait whose time has come. {@code done} completes when the wait has ended, or turns out to have ended before.
 */
record EndDueWait(DueWait found, CompletableFuture<Void> done) implements FoundCommand {
    @Override
    public RunId moved() {
        return found.run();
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(WaitFeature.class).due(this);
    }

    /**
     * Drops the command if the wait has ended. Its step may be waiting again, and memory knows steps only by their
     * keys.
     */
    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        if (store.isQueued(found.id())) {
            return Optional.of(this);
        }
        done.complete(null);
        return Optional.empty();
    }
}
