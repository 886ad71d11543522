package dev.millrace.worker;

import java.time.Duration;

/**
 * Learns what becomes of a worker's processes, for metrics. The worker calls it on its own threads, several at a time, so
 * each method must return at once and throw nothing.
 */
public interface ProcessObserver {
    /**
     * A process has loaded its script.
     *
     * @param language name of the script's language
     * @param startTime time from the decision to start the process, with what had to be fetched, installed or compiled
     */
    default void ready(String language, Duration startTime) {}

    /** An idle process is ended because another script needs its place. */
    default void evicted(String language) {}

    /**
     * A process has ended, for whatever reason.
     *
     * @param language name of the script's language; empty if the process had not started
     */
    default void ended(String language) {}
}
