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

/**
 * Waits for the end of a run on behalf of one caller, who may cancel the call meanwhile. Listens from its creation on.
 */
public final class RunCompletion implements AutoCloseable {
    private final RunId run;
    private final CompletableFuture<RunId> ended;

    public RunCompletion(RunEvents events, RunId run) {
        this.run = run;
        this.ended = events.whenEnded(run);
    }

    /**
     * Waits for the end of a run that has just been offered, of {@code wait}, or of the call. Also returns if the offer
     * is not accepted as this run.
     *
     * <p>The caller's thread sleeps while the run is being accepted, too: waking it for the acceptance would cost as
     * much as waking it for the end.
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

    /** Waits for the end of the run, of {@code wait}, or of the call. */
    public void await(Duration wait) throws InterruptedException {
        Context.CancellationListener stopWaiting = _ -> ended.cancel(false);
        Context call = Context.current();
        call.addListener(stopWaiting, Runnable::run);
        try {
            ended.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException notEnded) {
            // The caller, if there still is one, gets the run as it is.
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
