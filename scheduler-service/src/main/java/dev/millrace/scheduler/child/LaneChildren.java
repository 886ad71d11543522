package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.Lanes;
import java.util.concurrent.CompletableFuture;

/** Sends the ends of child runs to the lanes of their parents. */
public final class LaneChildren {
    private final Lanes lanes;

    public LaneChildren(Lanes lanes) {
        this.lanes = lanes;
    }

    /**
     * Tells the parent that a child run has ended. The future completes when the parent has been told, or turns out to
     * have stopped waiting.
     */
    public CompletableFuture<Void> end(EndedChild end) {
        return lanes.demand(end.parent(), done -> new EndChildWait(end, done));
    }
}
