package dev.millrace.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state of the world that sends no event, such as a process list, by looking again until a deadline. */
public final class Await {
    private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
    private static final Duration INTERVAL_MAX = Duration.ofMillis(200);
    /** The time waited so far is so many intervals: a long wait shall not cost many looks, nor be over much later than need be. */
    private static final int INTERVALS_WAITED = 10;

    private Await() {}

    /** Returns once the condition holds; after the limit it throws with what was awaited and what was seen last. */
    public static void until(String awaited, Duration limit, BooleanSupplier condition, Supplier<String> lastSeen) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = System.nanoTime() - start;
            if (waited > limit.toNanos()) {
                throw new AssertionError("Waited " + limit.toSeconds() + " s in vain until " + awaited + ". Last seen: "
                        + lastSeen.get());
            }
            LockSupport.parkNanos(
                    Math.clamp(waited / INTERVALS_WAITED, INTERVAL_MIN.toNanos(), INTERVAL_MAX.toNanos()));
        }
    }

    public static void until(String awaited, Duration limit, BooleanSupplier condition) {
        until(awaited, limit, condition, () -> "nothing recorded");
    }
}
