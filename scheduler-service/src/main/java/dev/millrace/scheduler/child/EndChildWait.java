package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.FoundCommand;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/**
 * Ends the wait for a child run that has ended. {@code done} completes when the parent has been told, or turns out to
 * have stopped waiting.
 */
record EndChildWait(EndedChild found, CompletableFuture<Void> done) implements FoundCommand {
    @Override
    public RunId moved() {
        return found.parent();
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(ChildFeature.class).ended(this);
    }
}
