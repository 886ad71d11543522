package dev.millrace.worker.internal.process;

import java.util.ArrayDeque;

/** One slot group: how many processes may be busy for it, and the jobs that wait for one, in order. Guarded by the pool's monitor. */
final class SlotQueue {
    final String name;
    final int slots;

    /** How many jobs may wait in the pipe of one busy process. */
    final int pipedJobsMax;

    final ArrayDeque<ScriptJob> waiting = new ArrayDeque<>();
    int busy;

    SlotQueue(String name, int slots, int prefetch) {
        this.name = name;
        this.slots = slots;
        this.pipedJobsMax = slots == 0 ? 0 : (prefetch + slots - 1) / slots;
    }

    boolean hasFreeSlot() {
        return busy < slots;
    }
}
