package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Makes lines of the trace from what jobs of one process tell about their progress. A job that tells it often gets a line
 * only now and then, so that its log stays small. Used by one thread.
 */
final class ProgressLines {
    /** Time between two lines of a job. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private String jobId = "";
    private long lastNanos;

    /** @param nanos the clock, as {@link System#nanoTime} */
    ProgressLines(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    /** The line to write; empty if the last one was written a moment ago. */
    Optional<String> next(Frame.Progress frame) {
        long now = nanos.getAsLong();
        if (frame.jobId().equals(jobId) && now - lastNanos < PAUSE.toNanos()) {
            return Optional.empty();
        }
        jobId = frame.jobId();
        lastNanos = now;
        return Optional.of("progress: " + frame.value() + "\n");
    }
}
