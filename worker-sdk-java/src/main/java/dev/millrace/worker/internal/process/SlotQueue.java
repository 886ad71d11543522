package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.runtime.LongJobs;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Function;

/**
 * One slot group: the number of its busy processes, and the jobs that wait for one, in order. Guarded by the pool's
 * lock.
 */
final class SlotQueue {
    /**
     * Largest number of jobs in the pipe of one busy process: they cannot be taken back if the running job turns out to
     * be long.
     */
    private static final int PIPED_JOBS_MAX = 8;

    /** Largest number of characters in a pause's reason. */
    private static final int REASON_MAX = 1_000;

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    final int slots;
    final Prefetch prefetch;
    final ArrayDeque<ScriptJob> waiting = new ArrayDeque<>();
    final LongJobs longJobs;
    int busy;
    /** Fault of the worker that keeps jobs of this group from starting; empty if there is none. */
    String fault = "";
    /** Why the group takes no jobs yet; empty once the worker is prepared. */
    String preparing = "";
    /** Number of faults since a job last began, which determines the next pause. */
    int faults;

    private final SlotGroup declared;

    /** @param longJobs notices jobs of this group that wait behind long ones */
    SlotQueue(SlotGroup declared, Function<SlotQueue, LongJobs> longJobs) {
        this.declared = declared;
        this.slots = declared.getSlots();
        this.prefetch = new Prefetch(slots == 0 ? 0 : (declared.getPrefetch() + slots - 1) / slots);
        this.longJobs = longJobs.apply(this);
    }

    String name() {
        return declared.getName();
    }

    boolean hasFreeSlot() {
        return busy < slots;
    }

    /** How long the group takes no jobs after its latest fault: twice the previous time, up to a limit. */
    Duration pause() {
        long millis =
                PAUSE_FIRST.toMillis() << Math.min(faults, Long.SIZE - Long.numberOfLeadingZeros(PAUSE_MAX.toMillis()));
        return Duration.ofMillis(Math.min(millis, PAUSE_MAX.toMillis()));
    }

    /** How many jobs may wait in the pipe of one busy process. */
    int pipedJobsMax() {
        return Math.min(PIPED_JOBS_MAX, prefetch.perSlot());
    }

    /** Whether jobs wait behind running ones. */
    boolean hasJobsBehind() {
        return !waiting.isEmpty() && !hasFreeSlot();
    }

    /**
     * The group with its current room. It is less than declared if jobs turn out to be long or the worker has a fault.
     */
    SlotGroup room() {
        String pause = fault.isEmpty() ? preparing : fault;
        if (!pause.isEmpty()) {
            return declared.toBuilder()
                    .setSlots(0)
                    .setPrefetch(0)
                    .setPauseReason(pause.substring(0, Math.min(pause.length(), REASON_MAX)))
                    .build();
        }
        int waitingMax = prefetch.isDistrusted() ? 0 : Math.max(declared.getPrefetch(), slots * prefetch.perSlot());
        return declared.toBuilder().setPrefetch(waitingMax).build();
    }
}
