package dev.millrace.scheduler.trace;

import dev.millrace.telemetry.Traceparent;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Begins traces of runs that nobody else traces, so that whoever tries something out sees its spans. At most some a second:
 * a flood of runs is not slowed. Thread-safe.
 */
final class TraceStarts {
    /** Largest number of traces that begin within a second. */
    static final int PER_SECOND_MAX = 10;

    private final LongSupplier nanoTime;
    private long secondBegan;
    private int begun;

    /** @param nanoTime a clock such as {@link System#nanoTime} */
    TraceStarts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.secondBegan = nanoTime.getAsLong();
    }

    /** A new trace; empty if enough have begun in this second. */
    Optional<Traceparent> next() {
        return mayBegin() ? Optional.of(random()) : Optional.empty();
    }

    private synchronized boolean mayBegin() {
        long now = nanoTime.getAsLong();
        if (now - secondBegan >= TimeUnit.SECONDS.toNanos(1)) {
            secondBegan = now;
            begun = 0;
        }
        return begun++ < PER_SECOND_MAX;
    }

    private static Traceparent random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        // The lowest bit keeps the ids from being zero.
        return new Traceparent(
                hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong() | 1),
                hex.toHexDigits(random.nextLong() | 1),
                true,
                "");
    }
}
