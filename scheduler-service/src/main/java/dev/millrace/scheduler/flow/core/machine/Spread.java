package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * What stands for a random number where a transition decides, which draws none: it is always the same for one retry of one step of one run, and
 * scattered over all of them, so that what failed together does not begin again together.
 */
final class Spread {
    private Spread() {}

    /** From 0 to 1. The steps are those of the finalizer of MurmurHash3. */
    static double of(RunId run, StepKey key, int retry) {
        int hash = (run.hashCode() * 31 + key.text().hashCode()) * 31 + retry;
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        hash ^= hash >>> 16;
        return (hash >>> 1) / (double) Integer.MAX_VALUE;
    }
}
