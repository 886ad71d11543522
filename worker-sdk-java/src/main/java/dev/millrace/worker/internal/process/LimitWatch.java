package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.limit.LimitCheck;
import dev.millrace.worker.internal.limit.ProcessUsage;
import dev.millrace.worker.internal.limit.Usage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends jobs that use more memory, CPU time or processes than they may, together with all that they started. Looks at
 * the processes of running jobs only, and not at all while none runs. The pool's lock guards whether it is awake; except where a
 * job with a limit of CPU time begins, it reads {@code /proc} without the lock.
 */
final class LimitWatch {
    /** Pause between two looks. A job may exceed its limits for as long. */
    static final long INTERVAL_MILLIS = 100;

    /** Processes whose memory is reported together; others of the same job are left out. */
    private static final int REPORTED_MAX = 100;

    private final ScriptPool pool;
    private final PoolLock lock;
    private final Placement placement;
    private final ProcessLauncher launcher;
    private final ScheduledExecutorService timers;
    private final ExecutorService background;
    private final ProcessUsage usage = new ProcessUsage();
    private final Map<ScriptJob, Usage> before = new ConcurrentHashMap<>();
    private boolean awake;

    LimitWatch(
            ScriptPool pool,
            PoolLock lock,
            Placement placement,
            ProcessLauncher launcher,
            ScheduledExecutorService timers,
            ExecutorService background) {
        this.pool = requireNonNull(pool, "pool");
        this.lock = requireNonNull(lock, "lock");
        this.placement = requireNonNull(placement, "placement");
        this.launcher = requireNonNull(launcher, "launcher");
        this.timers = requireNonNull(timers, "timers");
        this.background = requireNonNull(background, "background");
    }

    /** Watches the job, which begins now, until it ends. Must be called with the lock held. */
    void watch(WarmProcess warm, ScriptJob job) {
        JobLimits limits = warm.limits();
        Process process = warm.process();
        if (process == null || !ProcessTree.isSupported() || !LimitCheck.isNeeded(limits)) {
            return;
        }
        if (!limits.cpu().isZero()) {
            before.put(job, usage.of(process.pid(), 0));
        }
        if (!awake) {
            awake = true;
            schedule();
        }
    }

    /**
     * Memory of a process and its first children, in bytes; 0 if it has ended or this system does not tell. A bomb must
     * not keep the thread that reports.
     */
    long memoryBytes(long pid) {
        return ProcessTree.isSupported() ? usage.of(pid, REPORTED_MAX).memoryBytes() : 0;
    }

    /**
     * Fails a job that is over its limits as such, although it reports another failure: a fork that the system has refused
     * ends some programs before the next look.
     */
    void checkWhatFails(WarmProcess warm) {
        if (launcher.wasRefusedTasks(lock.get(warm::processId))) {
            check(warm);
        }
    }

    private void schedule() {
        try {
            var unused = timers.schedule(() -> background.execute(this::look), INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            awake = false; // The worker is closing.
        }
    }

    private void look() {
        try {
            for (WarmProcess warm : lock.get(placement::busy)) {
                check(warm);
            }
        } finally {
            // Also after a failure, which must not leave later jobs without limits.
            lock.run(this::lookAgainWhileJobsRun);
        }
    }

    private void lookAgainWhileJobsRun() {
        before.keySet().removeIf(ScriptJob::hasEnded);
        awake = !placement.isEmpty() && !placement.isClosed();
        if (awake) {
            schedule();
        }
    }

    private void check(WarmProcess warm) {
        ScriptJob job = lock.get(warm::running);
        Process process = lock.get(warm::process);
        JobLimits limits = lock.get(warm::limits);
        if (job == null || process == null || !LimitCheck.isNeeded(limits)) {
            return;
        }
        Optional<JobError> exceeded = LimitCheck.check(
                limits, before.getOrDefault(job, Usage.NONE), usage.of(process.pid(), limits.processes()));
        exceeded.ifPresent(error -> lock.run(() -> {
            if (warm.running() == job) {
                pool.fail(warm, error);
            }
        }));
    }
}
