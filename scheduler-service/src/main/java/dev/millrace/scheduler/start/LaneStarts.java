package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends to the lanes what begins runs, and what ends them when their time is over. */
public final class LaneStarts {
    private final Lanes lanes;

    public LaneStarts(Lanes lanes) {
        this.lanes = lanes;
    }

    /**
     * Begins a pending run if it is its turn; completes also if it is not. Tells how long until the turn may come, if the run waits for
     * a rate.
     */
    public CompletableFuture<Optional<Duration>> begin(RunStart start) {
        return lanes.demand(start.run(), answer -> new StartPendingRun(start, answer));
    }

    /** Ends the run as failed if its time is over; completes also if it is not. */
    public CompletableFuture<Void> expire(RunId run) {
        return lanes.demand(run, done -> new ExpireRun(run, done));
    }
}
