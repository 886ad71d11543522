package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.runtime.LongJobs;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Function;

/** One slot group: how many processes may be busy for it, and the jobs that wait for one, in order. Guarded by the pool's lock. */
final class SlotQueue {
    /** Most jobs in the pipe of one busy process: what is in there cannot be taken back when the running job turns out to be long. */
    private static final int PIPED_JOBS_MAX = 8;

    /** Most characters of a pause's reason. */
    private static final int REASON_MAX = 1_000;

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    final int slots;
    final Prefetch prefetch;
    final ArrayDeque<ScriptJob> waiting = new ArrayDeque<>();
    final LongJobs longJobs;
    int busy;
    /** Why no job of this group can begin, by a fault of the worker; empty where jobs can. */
    String fault = "";
    /** Faults since a job last began: the next pause is the longer. */
    int faults;

    private final SlotGroup declared;

    /**
     * @param longJobs notices when jobs of this group wait behind long ones
     */
    SlotQueue(SlotGroup declared, Function<SlotQueue, LongJobs> longJobs) {
        this.declared = declared;
        this.slots = declared.getSlots();
        this.prefetch = new Prefetch(slots == 0 ? 0 : (declared.getPrefetch() + slots - 1) / slots);
        this.longJobs = longJobs.apply(this);
    }

    /** Name of the group. */
    String name() {
        return declared.getName();
    }

    boolean hasFreeSlot() {
        return busy < slots;
    }

    /** How long the group takes no jobs after its latest fault: the double of the time before, up to a limit. */
    Duration pause() {
        long millis =
                PAUSE_FIRST.toMillis() << Math.min(faults, Long.SIZE - Long.numberOfLeadingZeros(PAUSE_MAX.toMillis()));
        return Duration.ofMillis(Math.min(millis, PAUSE_MAX.toMillis()));
    }

    /** How many jobs may wait in the pipe of one busy process. */
    int pipedJobsMax() {
        return Math.min(PIPED_JOBS_MAX, prefetch.perSlot());
    }

    /** Whether jobs wait behind others that run. */
    boolean hasJobsBehind() {
        return !waiting.isEmpty() && !hasFreeSlot();
    }

    /** The group with the room that it has now: less than was declared only where jobs turn out to be long. */
    SlotGroup room() {
        if (!fault.isEmpty()) {
            return declared.toBuilder()
                    .setSlots(0)
                    .setPrefetch(0)
                    .setPauseReason(fault.substring(0, Math.min(fault.length(), REASON_MAX)))
                    .build();
        }
        int waitingMax = prefetch.isDistrusted() ? 0 : Math.max(declared.getPrefetch(), slots * prefetch.perSlot());
        return declared.toBuilder().setPrefetch(waitingMax).build();
    }
}
