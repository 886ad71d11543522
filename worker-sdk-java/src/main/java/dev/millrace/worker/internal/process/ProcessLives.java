package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.limit.LimitCheck;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts the operating system processes behind warm processes, and cleans up after them. The methods block. */
final class ProcessLives {
    /** Bytes that a frame may have beyond the largest result. */
    static final int FRAME_OVERHEAD_BYTES = 64 << 10;

    /**
     * If a process closes its frames channel and does not exit within this time, it is considered to have closed the
     * channel while running.
     */
    static final Duration EXIT_WAIT = Duration.ofMillis(500);

    /** After a process exits, its frames channel must end within this time, or the channel is abandoned. */
    static final Duration CHANNEL_END_WAIT = Duration.ofSeconds(2);

    private final ScriptPool pool;
    private final PoolLock lock;
    private final Placement placement;
    private final ProcessBudget budget;
    private final WorkerFaults faults;
    private final StartWatch starts;
    private final ScriptStore scripts;
    private final ScriptPackages packages;
    private final ProcessLauncher launcher;
    private final SpareProcesses spares;
    private final PreparedVersions versions;
    private final JobLimits allowed;
    private final CallFolders calls;
    private final ExecutorService background;

    /** @param allowed what jobs may use at most */
    ProcessLives(
            ScriptPool pool,
            PoolLock lock,
            Placement placement,
            ProcessBudget budget,
            WorkerFaults faults,
            StartWatch starts,
            ScriptStore scripts,
            ScriptPackages packages,
            ProcessLauncher launcher,
            SpareProcesses spares,
            PreparedVersions versions,
            CallFolders calls,
            JobLimits allowed,
            ExecutorService background) {
        this.pool = pool;
        this.lock = lock;
        this.placement = placement;
        this.budget = budget;
        this.faults = faults;
        this.starts = starts;
        this.scripts = scripts;
        this.packages = packages;
        this.launcher = launcher;
        this.spares = spares;
        this.versions = versions;
        this.calls = calls;
        this.allowed = allowed;
        this.background = background;
    }

    void start(WarmProcess warm) {
        try {
            Supplier<Optional<LeasedJob>> lease = () -> lock.get(() -> placement.leaseOf(warm.key));
            Script loaded = versions.prepare(warm.key, scripts.load(warm.key, lease), line -> log(warm, line));
            Script script = packages.prepare(warm.key, loaded, locks(warm, lease), line -> log(warm, line))
                    .within(allowed);
            Process process = launch(warm, script);
            if (script.runtime().runsOnce()) {
                takeCalls(warm, process);
            }
            lock.run(() -> attach(warm, process, script));
        } catch (LoadException.Unavailable e) {
            lock.run(() -> faults.pause(warm, null, String.valueOf(e.getMessage())));
        } catch (WorkerFault e) {
            faults.blame(warm, e);
        } catch (LoadException e) {
            ended(warm, null, e.toJobError());
        } catch (IOException | RuntimeException e) {
            ended(warm, null, JobErrors.of("LoadError", "The process could not be started: " + e + ".", true));
        }
    }

    /** A process that is started ahead of its first job has no lease by which to ask. */
    private LockKeeper locks(WarmProcess warm, Supplier<Optional<LeasedJob>> lease) {
        return lock.get(() -> warm.running() == null ? budget.pins().locks(warm.key) : Optional.<LockKeeper>empty())
                .orElseGet(() -> scripts.locks(lease));
    }

    /** Starts the process, which uses the packages of its script until its end. */
    private Process launch(WarmProcess warm, Script script) throws IOException {
        try {
            Optional<ProcessLauncher.Started> spared = spares.take(warm.key, script);
            ProcessLauncher.Started started = spared.isPresent() ? spared.get() : launcher.start(warm.key, script);
            warm.startedAs(started.processId());
            Process process = started.process();
            var unused = process.onExit().thenRun(script.packages()::close);
            return process;
        } catch (IOException | RuntimeException e) {
            script.packages().close();
            throw e;
        }
    }

    /** Takes the calls of a process until it ends. It waits for its job, so it has made none yet. */
    private void takeCalls(WarmProcess warm, Process process) {
        Path folder = launcher.folder(warm.processId());
        calls.watch(new CallFolder(pool, warm, folder, launcher.folderOfCalls(warm.processId())))
                .ifPresent(watched -> {
                    var unused = process.onExit().thenRun(watched::close);
                });
    }

    private void log(WarmProcess warm, String line) {
        ScriptJob waiting = lock.get(warm::running);
        if (waiting != null) {
            waiting.lease.log(LogChunk.Stream.STREAM_SYSTEM, line);
        }
    }

    private void attach(WarmProcess warm, Process process, Script script) {
        String name = "millrace-process-" + process.pid();
        if (script.runtime().runsOnce()) {
            Path folder = launcher.folder(warm.processId());
            warm.attach(process, new OnceInput(pool, warm, process, script, folder), script);
            OnceReader reader = new OnceReader(pool, warm, process, folder);
            Threads.daemon(name, reader::read).start();
            return;
        }
        ProcessReader reader = new ProcessReader(
                pool, warm, process, script.runtime(), () -> pool.resultBytesMax() + FRAME_OVERHEAD_BYTES);
        warm.attach(process, process.getOutputStream(), script);
        Threads.daemon(name, reader::readFrames).start();
        Threads.daemon(name + "-stderr", reader::readStderr).start();
        endEvenIfItsChannelStaysOpen(warm, process);
        starts.begin(warm, process);
    }

    /**
     * Ends the process even if a hidden child holds its frames channel open, in which case its reader never sees the
     * end.
     */
    private void endEvenIfItsChannelStaysOpen(WarmProcess warm, Process process) {
        var unused = process.onExit()
                .thenRunAsync(
                        () -> ended(warm, process, null),
                        CompletableFuture.delayedExecutor(
                                CHANNEL_END_WAIT.toMillis(), TimeUnit.MILLISECONDS, background));
    }

    /**
     * Handles a process that has ended, or could not be started: its running job fails, and the jobs in its pipe go
     * elsewhere.
     */
    void ended(WarmProcess warm, @Nullable Process process, @Nullable JobError failure) {
        if (warm.isReleased()) {
            return;
        }
        JobError atEnd = process == null ? null : end(warm, process);
        JobError error = failure == null ? atEnd : failure;
        boolean mayBeOwnFault = process != null && failure == null && lock.get(() -> endsBeforeReady(warm));
        if (mayBeOwnFault && (!warm.beginsCheck() || faults.isOwnFault(warm))) {
            return;
        }
        lock.run(() -> {
            JobError known = warm.failure();
            placement.release(warm, known != null ? known : requireNonNull(error, "error"));
        });
        pool.gone(warm);
    }

    /** Whether the process ended while its script was loading and no one stopped it. */
    private boolean endsBeforeReady(WarmProcess warm) {
        ScriptJob job = warm.running();
        return !placement.isClosed()
                && !warm.wasLoaded()
                && warm.failure() == null
                && job != null
                && job.lease.isHeld()
                && job.stop == ScriptJob.Stop.NONE;
    }

    /** Ends everything that is left of the process, and returns how it ended. */
    private JobError end(WarmProcess warm, Process process) {
        try {
            boolean exited = process.waitFor(EXIT_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            launcher.kill(process, warm.processId());
            int exitCode = process.waitFor();
            boolean outOfMemory = launcher.wasOutOfMemory(warm.processId());
            launcher.forget(process, warm.processId());
            if (outOfMemory) {
                return LimitCheck.outOfMemory(lock.get(warm::limits));
            }
            return exited
                    ? ProcessEnd.error(exitCode, warm.wasLoaded(), warm.stderr.text())
                    : JobErrors.of("ProtocolError", "The process closed its frames channel but kept running.", true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return JobErrors.of("ProcessExited", "The worker was stopped.", true);
        }
    }
}
