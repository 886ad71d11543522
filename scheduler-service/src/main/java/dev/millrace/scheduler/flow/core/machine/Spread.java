package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * A deterministic replacement for random numbers, because decisions must be repeatable. The number is the same for the
 * same retry of a step and run, and differs between steps and runs. So steps that failed at the same time do not all
 * begin again at the same time.
 */
final class Spread {
    private Spread() {}

    /** Returns a number from 0 to 1. The operations are those of the MurmurHash3 finalizer. */
    static double of(RunId run, StepKey key, int retry) {
        int hash = (run.hashCode() * 31 + key.text().hashCode()) * 31 + retry;
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        hash ^= hash >>> 16;
        return (hash >>> 1) / (double) Integer.MAX_VALUE;
    }
}
