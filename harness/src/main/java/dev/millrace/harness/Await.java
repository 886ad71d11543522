package dev.millrace.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state that sends no event, such as a process list: checks it again and again until a deadline. */
public final class Await {
    private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
    private static final Duration INTERVAL_MAX = Duration.ofMillis(200);
    /**
     * The interval between two checks is the time waited so far divided by this: a long wait costs few checks and ends
     * little later than necessary.
     */
    private static final int INTERVALS_WAITED = 10;

    private Await() {}

    /**
     * Returns once the condition holds.
     *
     * @throws AssertionError after the limit, with what was awaited and what was seen last
     */
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
