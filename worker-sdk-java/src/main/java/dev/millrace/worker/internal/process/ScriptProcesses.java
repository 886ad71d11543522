package dev.millrace.worker.internal.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The warm processes of one script version, and what is known of how long its jobs run. Guarded by the pool's lock. */
final class ScriptProcesses {
    /**
     * Jobs wait in the pipe of a busy process only where the script's jobs are this short: they cannot be taken back, and there the time to
     * hand over the next job counts.
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

    /** The idle process that was used last. */
    @Nullable WarmProcess idle() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            if (processes.get(i).isIdle()) {
                return processes.get(i);
            }
        }
        return null;
    }

    /** The busy process with the fewest jobs in its pipe that has room for this one. */
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
