package dev.millrace.worker.internal.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The warm processes of one script version, and how long its jobs run. Guarded by the pool's lock. */
final class ScriptProcesses {
    /**
     * Jobs wait in the pipe of a busy process only if the script's jobs run shorter than this. A job in a pipe cannot
     * be taken back, and only for short jobs does the time of a handover matter.
     */
    static final long PIPED_RUN_NANOS_MAX = Duration.ofMillis(10).toNanos();

    private static final double NEWEST_SHARE = 0.25;

    final List<WarmProcess> processes = new ArrayList<>();
    private double averageRunNanos = Double.MAX_VALUE;

    void ran(long nanos) {
        averageRunNanos = averageRunNanos == Double.MAX_VALUE
                ? nanos
                : averageRunNanos + NEWEST_SHARE * (nanos - averageRunNanos);
    }

    /** The most recently used idle process. */
    @Nullable WarmProcess idle() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            if (processes.get(i).isIdle()) {
                return processes.get(i);
            }
        }
        return null;
    }

    /** The busy process with room for this job that has the fewest jobs in its pipe. */
    @Nullable WarmProcess withRoomFor(ScriptJob job) {
        WarmProcess best = null;
        if (averageRunNanos <= PIPED_RUN_NANOS_MAX) {
            for (WarmProcess process : processes) {
                if (process.hasRoomFor(job) && (best == null || process.jobCount() < best.jobCount())) {
                    best = process;
                }
            }
        }
        return best;
    }
}
