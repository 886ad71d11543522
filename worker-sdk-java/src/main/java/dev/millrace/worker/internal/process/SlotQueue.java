package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.SlotGroup;
import java.util.ArrayDeque;

/** One slot group: how many processes may be busy for it, and the jobs that wait for one, in order. Guarded by the pool's lock. */
final class SlotQueue {
    /** Most jobs in the pipe of one busy process: what is in there cannot be taken back when the running job turns out to be long. */
    private static final int PIPED_JOBS_MAX = 8;

    final int slots;
    final Prefetch prefetch;
    final ArrayDeque<ScriptJob> waiting = new ArrayDeque<>();
    int busy;
    /** Jobs of this group that have ended. */
    long ended;
    /** Whether a look at what waits is due. */
    boolean watched;

    private final SlotGroup declared;

    SlotQueue(SlotGroup declared) {
        this.declared = declared;
        this.slots = declared.getSlots();
        this.prefetch = new Prefetch(slots == 0 ? 0 : (declared.getPrefetch() + slots - 1) / slots);
    }

    boolean hasFreeSlot() {
        return busy < slots;
    }

    /** How many jobs may wait in the pipe of one busy process. */
    int pipedJobsMax() {
        return Math.min(PIPED_JOBS_MAX, prefetch.perSlot());
    }

    /** How many jobs wait beyond those that may wait however long jobs run. */
    int excess() {
        return waiting.size() - declared.getPrefetch();
    }

    /** The group with the room that it has now: never less than was declared. */
    SlotGroup room() {
        int waitingMax = Math.max(declared.getPrefetch(), slots * prefetch.perSlot());
        return declared.toBuilder().setPrefetch(waitingMax).build();
    }
}
