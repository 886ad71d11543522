package dev.millrace.scheduler.schema;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets few checks of more than {@link Spending#SMALL} run at a time, so that they leave processors to everything else. They
 * come in the order of their calls. Small checks never wait. Thread-safe.
 */
final class CostlyTurns {
    /** Number of costly checks at a time: half of the processors. */
    static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    /** Time after which a check that may be left out is left out. */
    private static final Duration OPTIONAL_WAIT_MAX = Duration.ofMillis(250);

    private static final Semaphore turns = new Semaphore(TURNS, true);

    private CostlyTurns() {}

    /** Waits for a turn, as long as it takes: callers are counted and refused where their requests arrive. */
    static void await() {
        turns.acquireUninterruptibly();
    }

    /** Waits for a turn, but not for long. Returns whether it is the caller's turn. */
    static boolean awaitBriefly() {
        try {
            return turns.tryAcquire(OPTIONAL_WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static void end() {
        turns.release();
    }
}
