package dev.millrace.scheduler.run.service;

import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.RunId;
import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the end of a run for one caller, who may have gone meanwhile. Begins to listen when it is made. */
final class RunCompletion implements AutoCloseable {
    private final RunId run;
    private final CompletableFuture<RunId> ended;

    RunCompletion(RunEvents events, RunId run) {
        this.run = run;
        this.ended = events.whenEnded(run);
    }

    /**
     * Returns at the end of a run that has just been offered, of the wait, or of the call, and where the offer comes to anything else than
     * this run. The caller's thread sleeps while the run is accepted, too: to be woken for that costs as much as to be woken for the end.
     */
    void awaitUnlessRefused(CompletableFuture<SubmitResult> offer, Duration wait) throws InterruptedException {
        var _ = offer.whenComplete((result, _) -> {
            if (!(result instanceof SubmitResult.Accepted accepted
                    && accepted.runs().contains(run))) {
                ended.cancel(false);
            }
        });
        await(wait);
    }

    /** Returns at the end of the run, of the wait, or of the call. */
    void await(Duration wait) throws InterruptedException {
        Context.CancellationListener stopWaiting = _ -> ended.cancel(false);
        Context call = Context.current();
        call.addListener(stopWaiting, Runnable::run);
        try {
            ended.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException notEnded) {
            // The caller gets the run as it stands, if there is still a caller.
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a run does not fail", impossible);
        } finally {
            call.removeListener(stopWaiting);
        }
    }

    /** Whether the run is known to have ended. */
    boolean isReached() {
        return ended.isDone();
    }

    @Override
    public void close() {
        ended.cancel(false);
    }
}
