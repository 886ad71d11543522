package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.session.JobErrors;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells faults of the worker, such as a missing interpreter or a full disk, from faults of jobs. A fault of the worker
 * pauses the slot group, and its jobs return to the queue. The pool's lock guards the groups; checks run without it.
 */
final class WorkerFaults {
    private static final Logger logger = LoggerFactory.getLogger(WorkerFaults.class);

    private final PoolLock lock;
    private final Placement placement;
    private final SelfCheck selfCheck;
    private final ScheduledExecutorService timers;
    private final ExecutorService background;
    /** Faults that were found while processes were starting, until those have ended. */
    private final Map<WarmProcess, String> found = Collections.synchronizedMap(new WeakHashMap<>());

    WorkerFaults(
            PoolLock lock,
            Placement placement,
            SelfCheck selfCheck,
            ScheduledExecutorService timers,
            ExecutorService background) {
        this.lock = lock;
        this.placement = placement;
        this.selfCheck = selfCheck;
        this.timers = timers;
        this.background = background;
    }

    /** Handles a process that could not be started: finds out whether the worker or the job is at fault. */
    void blame(WarmProcess warm, WorkerFault fault) {
        ScriptRuntime runtime = fault.runtime().orElse(null);
        Optional<String> own = selfCheck.run(runtime);
        lock.run(() -> {
            ScriptJob job = warm.running();
            if (own.isPresent()) {
                pause(warm, runtime, own.get());
            } else if (job != null && !job.startFailed) {
                // The fault may have been short, such as a full disk.
                job.startFailed = true;
                placement.strayTo(warm, job.queue);
            } else {
                placement.release(warm, fault.toJobError());
            }
        });
    }

    /**
     * Pauses the slot group because of a fault of the worker, and returns its jobs that have not begun. The group takes
     * jobs again once a check finds no fault.
     *
     * @param runtime runtime whose processes cannot be started; null if that is not the fault
     */
    void pause(WarmProcess warm, @Nullable ScriptRuntime runtime, String reason) {
        ScriptJob first = warm.running();
        if (warm.isReleased() || first == null) {
            placement.release(warm, JobErrors.of("LoadError", reason, true));
            return;
        }
        SlotQueue queue = first.queue;
        boolean isPaused = !queue.fault.isEmpty();
        queue.fault = reason;
        // Report the room before the jobs return to the queue, so that they do not come back.
        placement.tellRoom();
        placement.strayTo(warm, queue);
        placement.returnWaiting(queue, reason);
        if (!isPaused) {
            logger.atWarn()
                    .addKeyValue("group", queue.name())
                    .addKeyValue("reason", reason)
                    .log(
                            "Jobs of a slot group cannot begin because of a fault of this worker; they return to the queue, and the group is paused.");
            recheckLater(queue, runtime);
        }
    }

    private void recheckLater(SlotQueue queue, @Nullable ScriptRuntime runtime) {
        Duration pause = queue.pause();
        queue.faults++;
        if (!placement.isClosed()) {
            var unused = timers.schedule(
                    () -> background.execute(() -> recheck(queue, runtime)), pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void recheck(SlotQueue queue, @Nullable ScriptRuntime runtime) {
        Optional<String> fault = selfCheck.run(runtime);
        lock.run(() -> {
            queue.fault = fault.orElse("");
            placement.tellRoom();
            if (fault.isPresent()) {
                recheckLater(queue, runtime);
            } else {
                logger.atInfo().addKeyValue("group", queue.name()).log("A slot group takes jobs again.");
            }
        });
    }

    /**
     * Whether a process does not become ready because of a fault of the worker, which counts once the process has ended.
     * Blocks for a check.
     */
    boolean isFoundWhileStarting(WarmProcess warm) {
        Optional<String> fault = selfCheck.run(warm.runtime());
        fault.ifPresent(reason -> found.put(warm, reason));
        return fault.isPresent();
    }

    /**
     * Whether a process ended before it was ready because of a fault of the worker; if so, pauses the slot group.
     * Blocks for a check.
     */
    boolean isOwnFault(WarmProcess warm) {
        Optional<String> fault = Optional.ofNullable(found.remove(warm)).or(() -> selfCheck.run(warm.runtime()));
        fault.ifPresent(reason -> lock.run(() -> pause(warm, warm.runtime(), reason)));
        return fault.isPresent();
    }
}
