package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends pending runs, and runs whose time limit has expired, to their lanes. */
public final class LaneStarts {
    private final Lanes lanes;

    public LaneStarts(Lanes lanes) {
        this.lanes = lanes;
    }

    /**
     * Begins a pending run if it is its turn; the future completes in any case. If the run waits for a rate, the result
     * is the time until its turn may come.
     */
    public CompletableFuture<Optional<Duration>> begin(RunStart start) {
        return lanes.demand(start.run(), answer -> new StartPendingRun(start, answer));
    }

    /** Fails a run if its time limit has expired; the future completes in any case. */
    public CompletableFuture<Void> expire(RunId run) {
        return lanes.demand(run, done -> new ExpireRun(run, done));
    }
}
