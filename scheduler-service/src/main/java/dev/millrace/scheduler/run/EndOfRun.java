package dev.millrace.scheduler.run;

import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the end of a run for one caller, who may have gone meanwhile. Begins to listen when it is made. */
final class EndOfRun implements AutoCloseable {
    /** How often to look without being told, for what other schedulers have ended. */
    private static final Duration HEALING_INTERVAL = Duration.ofMillis(500);

    private final RunPhases runs;
    private final RunId run;
    private final CompletableFuture<Outcome> ended;

    EndOfRun(RunPhases runs, RunEvents events, RunId run) {
        this.runs = runs;
        this.run = run;
        this.ended = events.whenEnded(run);
    }

    /** Returns at the end of the run, of the wait, or of the call. */
    void await(Duration wait) throws InterruptedException {
        long left = wait.toNanos();
        while (left > 0 && !ended.isDone() && !Context.current().isCancelled()) {
            long pause = Math.min(left, HEALING_INTERVAL.toNanos());
            left -= pause;
            if (isSignaledWithin(pause) || runs.phaseOf(run) == RunPhases.Phase.ENDED) {
                return;
            }
        }
    }

    @Override
    public void close() {
        ended.cancel(false);
    }

    private boolean isSignaledWithin(long nanos) throws InterruptedException {
        try {
            ended.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a run does not fail", impossible);
        }
    }
}
