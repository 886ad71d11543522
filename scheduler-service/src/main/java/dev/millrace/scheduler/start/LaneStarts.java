package dev.millrace.scheduler.start;

import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
        return begin(start, new CompletableFuture<>());
    }

    /** @param done completed once the run has begun or cannot begin now, evaluations included */
    CompletableFuture<Optional<Duration>> begin(RunStart start, CompletableFuture<@Nullable Void> done) {
        return lanes.demand(start.run(), answer -> new StartPendingRun(start, answer, done));
    }

    /** Does the same as {@link #begin}, but completes only after the evaluations that the beginning takes. */
    CompletableFuture<@Nullable Void> beginToTheEnd(RunStart start) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        var _ = begin(start, done);
        return done;
    }

    /** Fails a run if its time limit has expired; the future completes in any case. */
    public CompletableFuture<Void> expire(RunId run) {
        return lanes.demand(run, done -> new ExpireRun(run, done));
    }
}
