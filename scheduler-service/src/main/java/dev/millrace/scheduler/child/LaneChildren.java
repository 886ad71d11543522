package dev.millrace.scheduler.child;

import dev.millrace.scheduler.lane.Lanes;
import java.util.concurrent.CompletableFuture;

/** Sends the ends of child runs to the lanes of their parents. */
public final class LaneChildren {
    private final Lanes lanes;

    public LaneChildren(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Tells the parent that a child has ended. Completes once the parent knows, or was found to wait no longer. */
    public CompletableFuture<Void> end(EndedChild end) {
        return lanes.demand(end.parent(), done -> new EndChildWait(end, done));
    }
}
