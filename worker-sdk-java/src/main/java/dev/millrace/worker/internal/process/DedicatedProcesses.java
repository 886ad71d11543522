package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.worker.v1.DedicatedScript;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsResponse;
import dev.millrace.worker.DedicatedTarget;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.internal.runtime.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps processes ready for the current versions of certain scripts and flows. One thread asks the scheduler which versions
 * are current whenever the session says that they may have changed, or once a second if the scheduler does not tell. It starts the processes of a new version beside those of the old one, which end after their
 * jobs once the new ones are ready. The slot groups of the worker stay paused until each target has been tried once.
 */
final class DedicatedProcesses implements AutoCloseable {
    /** Time between two looks at the processes. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** A version whose processes do not start is tried again after this time. */
    private static final Duration RETRY = Duration.ofSeconds(30);

    /** Time between two questions if the scheduler tells of changes: heals what was missed. */
    private static final Duration HEALING = Duration.ofSeconds(30);

    private static final Logger logger = LoggerFactory.getLogger(DedicatedProcesses.class);

    private final ScriptPool pool;
    private final DedicatedSource source;
    private final List<Dedication> dedications = new ArrayList<>();
    private final Thread thread = Threads.daemon("millrace-dedicated", this::run);
    private final Semaphore changes = new Semaphore(1);
    private volatile boolean isTold;
    private volatile boolean closed;

    /** A target, and what is kept for it. Only the thread uses it. */
    private static final class Dedication {
        final DedicatedTarget target;
        final Set<ScriptKey> kept = new HashSet<>();
        /** Versions whose processes did not start, with the time at which they are tried again. */
        final Map<ScriptKey, Long> failedUntilNanos = new HashMap<>();

        String problem = "";

        Dedication(DedicatedTarget target) {
            this.target = target;
        }

        Set<String> known() {
            failedUntilNanos.values().removeIf(until -> until - System.nanoTime() <= 0);
            Set<String> hashes = new HashSet<>();
            kept.forEach(key -> hashes.add(key.hash()));
            failedUntilNanos.keySet().forEach(key -> hashes.add(key.hash()));
            return hashes;
        }
    }

    DedicatedProcesses(ScriptPool pool, DedicatedSource source, List<DedicatedTarget> targets) {
        this.pool = requireNonNull(pool, "pool");
        this.source = requireNonNull(source, "source");
        targets.forEach(target -> dedications.add(new Dedication(target)));
    }

    void start() {
        thread.start();
    }

    /**
     * Current versions may have changed. Does not wait.
     *
     * @param tells whether the scheduler tells of the next change, too
     */
    void versionsChanged(boolean tells) {
        isTold = tells;
        changes.release();
    }

    private void run() {
        try {
            boolean tried = false;
            long askNanos = System.nanoTime();
            while (!closed) {
                if (!changes.tryAcquire(INTERVAL.toNanos(), TimeUnit.NANOSECONDS) && askNanos - System.nanoTime() > 0) {
                    dedications.forEach(dedication -> dedication.kept.forEach(pool::keep));
                    continue;
                }
                changes.drainPermits();
                boolean reached = true;
                for (Dedication dedication : dedications) {
                    reached &= refresh(dedication);
                }
                boolean isSettled =
                        reached && dedications.stream().allMatch(dedication -> dedication.failedUntilNanos.isEmpty());
                askNanos = System.nanoTime() + (isTold && isSettled ? HEALING : INTERVAL).toNanos();
                if (reached && !tried) {
                    tried = true;
                    logger.atInfo()
                            .addKeyValue("processes", pool.keptCount())
                            .log("The processes of the dedicated scripts are ready; the worker takes jobs.");
                    pool.prepared();
                }
            }
        } catch (InterruptedException e) {
            logger.debug("The thread for dedicated scripts was interrupted and ends.");
        }
    }

    /** Returns false if the scheduler did not answer. */
    private boolean refresh(Dedication dedication) throws InterruptedException {
        try {
            GetDedicatedScriptsResponse answer = source.get(dedication.target, dedication.known());
            while (answer.hasUnknown() && !closed) {
                if (!add(dedication, answer.getUnknown())) {
                    // Its packages are still being chosen.
                    return true;
                }
                answer = source.get(dedication.target, dedication.known());
            }
            Set<ScriptKey> current = new HashSet<>();
            answer.getScriptsList().forEach(script -> current.add(key(dedication.target, script)));
            drainAllBut(dedication, current);
            dedication.kept.forEach(pool::keep);
            if (dedication.failedUntilNanos.isEmpty()) {
                dedication.problem = "";
            }
            return true;
        } catch (LoadException.Unavailable e) {
            report(dedication, String.valueOf(e.getMessage()));
            return false;
        } catch (LoadException e) {
            report(dedication, String.valueOf(e.getMessage()));
            return true;
        } catch (RuntimeException e) {
            // A bug must not end the thread, without which no version is ever replaced.
            logger.atError().setCause(e).log("The processes of a dedicated script could not be looked after.");
            return true;
        }
    }

    /** Starts the processes of a version and waits until they are ready. Returns false to be asked again soon. */
    private boolean add(Dedication dedication, DedicatedScript unknown) throws InterruptedException {
        ScriptKey key = key(dedication.target, unknown.getScript());
        ChosenLocks locks = new ChosenLocks(unknown.getPackageLocksMap());
        Optional<String> failure;
        try {
            failure = pool.pin(key, unknown.getScript(), dedication.target.processes(), locks);
            if (failure.isPresent() && !dedication.kept.isEmpty()) {
                // There is no room for both versions at once.
                drainAllBut(dedication, Set.of());
                failure = pool.pin(key, unknown.getScript(), dedication.target.processes(), locks);
            }
        } catch (LoadException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        }
        if (failure.isEmpty()) {
            dedication.kept.add(key);
            logger.atInfo()
                    .addKeyValue("target", dedication.target)
                    .addKeyValue("version", key.hash())
                    .log("Processes of a dedicated script are ready.");
            return true;
        }
        pool.unpin(key);
        report(dedication, failure.get());
        if (locks.wasMissed()) {
            return false;
        }
        dedication.failedUntilNanos.put(key, System.nanoTime() + RETRY.toNanos());
        return true;
    }

    private void drainAllBut(Dedication dedication, Set<ScriptKey> current) {
        for (ScriptKey key : Set.copyOf(dedication.kept)) {
            if (!current.contains(key)) {
                dedication.kept.remove(key);
                if (dedications.stream().noneMatch(other -> other.kept.contains(key))) {
                    pool.unpin(key);
                }
            }
        }
        dedication.failedUntilNanos.keySet().removeIf(key -> !current.isEmpty() && !current.contains(key));
    }

    /** Logs a problem once. */
    private static void report(Dedication dedication, String problem) {
        if (!problem.equals(dedication.problem)) {
            dedication.problem = problem;
            logger.atWarn()
                    .addKeyValue("target", dedication.target)
                    .addKeyValue("reason", problem)
                    .log("No processes can be kept for a dedicated script; the worker tries again.");
        }
    }

    /** Runs of the target act for its folder, whatever scripts their steps run. */
    private static ScriptKey key(DedicatedTarget target, Script script) {
        return new ScriptKey(JobScope.ofPath(target.workspace(), target.path()), script.getHash());
    }

    /** The packages that were chosen for a version when the worker asked. It never chooses any, since no job pays for it. */
    private static final class ChosenLocks implements LockKeeper {
        private final Map<String, String> locks;
        private volatile boolean missed;

        ChosenLocks(Map<String, String> locks) {
            this.locks = Map.copyOf(locks);
        }

        /** Whether packages were needed that had not been chosen. */
        boolean wasMissed() {
            return missed;
        }

        @Override
        public Optional<String> find(String interpreter) {
            String lock = locks.get(interpreter);
            if (lock == null) {
                missed = true;
                throw new LoadException(
                        "The packages of the script have not been chosen yet: the run that does so at the deployment, or"
                                + " the first job, will.",
                        true);
            }
            return Optional.of(lock);
        }

        @Override
        public String keep(String interpreter, String lock, List<String> inferred) {
            return lock;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
