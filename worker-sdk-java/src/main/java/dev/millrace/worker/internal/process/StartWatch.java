package dev.millrace.worker.internal.process;

import dev.millrace.proto.log.v1.LogChunk;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at processes that do not become ready in time, so that no job waits for one in silence. If the worker cannot start
 * such processes, the process ends, which pauses its slot group; else the log of the job says what it waits for.
 */
final class StartWatch {
    /** Scripts that load much need some seconds. A check is to end before the longest time of loading, 60 s, is over. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Logger logger = LoggerFactory.getLogger(StartWatch.class);

    private final PoolLock lock;
    private final WorkerFaults faults;
    private final ScheduledExecutorService timers;
    private final ExecutorService background;
    private final BiConsumer<WarmProcess, Process> kill;

    /** @param kill ends all that is left of a process */
    StartWatch(
            PoolLock lock,
            WorkerFaults faults,
            ScheduledExecutorService timers,
            ExecutorService background,
            BiConsumer<WarmProcess, Process> kill) {
        this.lock = lock;
        this.faults = faults;
        this.timers = timers;
        this.background = background;
        this.kill = kill;
    }

    /** Watches a process that has just been started. */
    void begin(WarmProcess warm, Process process) {
        try {
            var unused = timers.schedule(
                    () -> background.execute(() -> look(warm, process)), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            logger.debug("The worker is stopping; nobody waits for the process.", stopping);
        }
    }

    private void look(WarmProcess warm, Process process) {
        Optional<ScriptJob> waiting =
                lock.get(() -> warm.wasLoaded() ? Optional.empty() : Optional.ofNullable(warm.running()));
        if (waiting.isEmpty() || !process.isAlive()) {
            return;
        }
        if (faults.isFoundWhileStarting(warm)) {
            kill.accept(warm, process);
            return;
        }
        waiting.get()
                .lease
                .log(
                        LogChunk.Stream.STREAM_SYSTEM,
                        "The process of the script is not ready after " + PATIENCE.toSeconds()
                                + " s, and the job begins once it is. What the script does while it is loaded, such as its"
                                + " imports, takes that long.\n");
    }
}
