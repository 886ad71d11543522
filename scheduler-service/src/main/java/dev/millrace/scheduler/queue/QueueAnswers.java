package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocks until the queue has answered. */
public final class QueueAnswers {
    /** Longest time to wait. The database's own limits are shorter. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private QueueAnswers() {}

    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "The database has not answered in time; whether the request was carried out is not known. "
                            + "Repeat it, with the same request id where it has one.",
                    late);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof MillraceException ours
                    ? ours
                    : new MillraceException(ErrorCode.INTERNAL, "The queue failed.", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop.", interrupted);
        }
    }
}
