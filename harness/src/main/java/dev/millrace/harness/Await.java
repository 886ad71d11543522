package dev.millrace.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state of the world that sends no event, such as a process list, by looking again until a deadline. */
public final class Await {
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Await() {}

    /** Returns once the condition holds; after the limit it throws with what was awaited and what was seen last. */
    public static void until(String awaited, Duration limit, BooleanSupplier condition, Supplier<String> lastSeen) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited " + limit.toSeconds() + " s in vain until " + awaited + ". Last seen: "
                        + lastSeen.get());
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
    }

    public static void until(String awaited, Duration limit, BooleanSupplier condition) {
        until(awaited, limit, condition, () -> "nothing recorded");
    }
}
