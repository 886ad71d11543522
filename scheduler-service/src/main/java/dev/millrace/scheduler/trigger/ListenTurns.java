package dev.millrace.scheduler.trigger;

import java.util.concurrent.Semaphore;

/**
 * Turns of listeners that accept what has arrived. Few have one at a time, so that a flood for many triggers leaves
 * connections to the database to other callers. Those that have waited longest go first. Thread-safe.
 */
public final class ListenTurns {
    /** Number of listeners that accept at a time: reading large messages keeps a processor busy, and the others are for callers. */
    private static final int AT_ONCE_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Semaphore turns = new Semaphore(AT_ONCE_MAX, true);

    /** A turn, which ends when it is closed. */
    @FunctionalInterface
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for a turn. */
    public Turn take() throws InterruptedException {
        turns.acquire();
        return turns::release;
    }
}
