package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FailRun;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends the wait for a child run that has ended. {@code done} completes when the parent has been told, or turns out to
 * have stopped waiting.
 */
record EndChildWait(EndedChild end, CompletableFuture<Void> done) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(end.parent());
    }

    @Override
    public Optional<RunId> movedRun(Leases leases) {
        return Optional.of(end.parent());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(ChildFeature.class).ended(this);
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
        return other instanceof EndChildWait(EndedChild known, var _) && known.equals(end);
    }

    /**
     * Fails the parent after a bug. Otherwise the note would be found again and again, and the parent would never
     * continue.
     */
    @Override
    public Optional<LaneCommand> afterBug(Throwable bug) {
        return Optional.of(new FailRun(end.parent(), LaneCommand.internalError(bug), done));
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
