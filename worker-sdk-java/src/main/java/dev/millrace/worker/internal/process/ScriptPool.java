package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.DedicatedTarget;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.ProcessObserver;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.jobapi.SecretsAnswer;
import dev.millrace.worker.internal.limit.ControlGroups;
import dev.millrace.worker.internal.limit.ScriptAnnotation;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.runtime.DeadlineTimer;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.internal.runtime.LongJobs;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.secret.JobSecrets;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeasedJob;
import dev.millrace.worker.internal.session.SessionLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs script jobs in warm processes, at most one running job per process. The engine's side of the process host, and
 * the messages of the processes.
 *
 * <p>One lock guards all state. Nothing blocks under it, and nothing is written to a process: lines are queued and
 * leave after the lock is released. Starts, kills and writes that may wait happen on other threads.
 */
public final class ScriptPool implements JobEngine {
    /** Time without the start of a process after which a spare starts. */
    private static final Duration SPARE_DELAY = Duration.ofMillis(100);

    private final ProcessHostOptions options;
    private final JobApiClient jobApi;
    private final ScriptStore scripts;
    private final ScriptPackages packages;
    private final SignatureReader signatures;
    private final ProcessLauncher launcher;
    private final SpareProcesses spares;
    private final SelfCheck selfCheck;
    private final ScheduledExecutorService timers = Threads.timer("millrace-process-timer");
    private final ExecutorService background = Executors.newCachedThreadPool(Threads.named("millrace-process-work"));

    private final CallFolders calls = new CallFolders();
    private final PoolLock lock = new PoolLock();
    private final ProcessBudget budget;
    private final Placement placement;
    private final ProcessLives lives;
    private final LimitWatch limits;
    /** Largest result in bytes, as the scheduler has told last. A process may start before it has a job. */
    private volatile int resultBytesMax = SessionLimits.DEFAULTS.resultBytesMax();

    private volatile ProcessObserver observer = new ProcessObserver() {};
    private volatile @Nullable DedicatedProcesses dedicated;
    /** When a process of a script has begun to start last. */
    private volatile long startedNanos = System.nanoTime();

    public ScriptPool(
            ProcessHostOptions options, List<SlotGroup> slotGroups, SchedulerScripts source, JobApiClient jobApi)
            throws IOException {
        this(options, slotGroups, (ScriptSource) source, jobApi);
    }

    ScriptPool(ProcessHostOptions options, List<SlotGroup> slotGroups, ScriptSource source, JobApiClient jobApi)
            throws IOException {
        this.options = requireNonNull(options, "options");
        this.jobApi = requireNonNull(jobApi, "jobApi");
        this.scripts = new ScriptStore(
                PrivateFiles.folder(options.folder().resolve("scripts")),
                source,
                new ScriptRuntimes(options.languages()));
        // First, because whoever starts before remains outside of the worker's own group.
        Optional<ControlGroups> groups = ControlGroups.of(options.controlGroups());
        ProcessMark marks = ProcessMark.choose();
        TemporaryFolders temporary = TemporaryFolders.create();
        ProcessCommands commands = new ProcessCommands(options, marks, temporary);
        this.packages = ScriptPackages.in(options, commands);
        this.signatures = new SignatureReader(commands);
        this.launcher = new ProcessLauncher(commands, marks, temporary, groups);
        PreparedVersions versions = new PreparedVersions(
                PrivateFiles.folder(options.folder().resolve("prepared")),
                ScriptPackages.installers(options, commands),
                options.packageBytesMax());
        this.selfCheck = new SelfCheck(options.folder().resolve("scripts").resolve(".checks"), launcher, versions);
        this.budget = new ProcessBudget(lock, options.processesMax(), this::start);
        this.placement = new Placement(lock, slotGroups, budget, this::longJobs);
        this.spares = new SpareProcesses(launcher, commands, options, lock, budget);
        budget.onEviction(language -> observer.evicted(language));
        budget.onSpareUnwanted(runtime -> background.execute(() -> spares.dismiss(runtime)));
        WorkerFaults faults = new WorkerFaults(lock, placement, selfCheck, timers, background);
        this.lives = new ProcessLives(
                this,
                lock,
                placement,
                budget,
                faults,
                new StartWatch(lock, faults, timers, background, this::destroy),
                scripts,
                packages,
                launcher,
                spares,
                versions,
                calls,
                options.jobLimits(),
                background);
        this.limits = new LimitWatch(this, lock, placement, launcher, timers, background);
    }

    /** Lets the observer learn from now on what becomes of processes. */
    public void observe(ProcessObserver learns) {
        observer = requireNonNull(learns, "learns");
    }

    /** What prepares the packages of a job's script in place of running it. */
    public JobHandler preparing(LeasedJob job) {
        return new PackageJob(job, scripts, packages, signatures);
    }

    /** What reads the signature of a job's script in place of running it. */
    public JobHandler reading(LeasedJob job) {
        return new SchemaJob(job, scripts, packages, signatures);
    }

    @Override
    public void accept(LeasedJob lease) {
        resultBytesMax = lease.limits().resultBytesMax();
        lock.run(() -> placement.queue(lease));
    }

    @Override
    public void goOn() {
        lock.run(placement::placeAll);
    }

    @Override
    public void onRoomChange(Consumer<List<SlotGroup>> listener) {
        lock.run(() -> {
            placement.onRoomChange(listener);
            placement.tellRoom();
        });
    }

    @Override
    public void noteTurnaround(long nanos) {
        lock.run(() -> placement.noteTurnaround(nanos));
    }

    @Override
    public void stop(LeasedJob lease, String reason) {
        lock.run(() -> placement.stop(lease));
    }

    @Override
    public void drain() {
        lock.run(placement::drain);
    }

    @Override
    public Optional<ProcessReport> processes() {
        return Optional.of(ProcessReports.of(lock.get(placement::describe), limits::memoryBytes));
    }

    @Override
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return lock.await(placement::isEmpty, timeout);
    }

    @Override
    public void close() {
        lock.run(placement::close);
        if (dedicated != null) {
            dedicated.close();
        }
        launcher.close();
        calls.close();
        timers.shutdownNow();
        selfCheck.close();
    }

    // Processes that are kept ahead of jobs.

    /** Takes no jobs until processes of these scripts and flows are ready, and keeps such from then on. */
    public void dedicate(List<DedicatedTarget> targets, SchedulerDedications source) {
        if (!targets.isEmpty()) {
            lock.run(() -> placement.prepare("The worker is starting the processes of its dedicated scripts."));
            dedicated = new DedicatedProcesses(this, source, targets);
            dedicated.start();
        }
    }

    @Override
    public boolean wantsVersionChanges() {
        return dedicated != null;
    }

    @Override
    public void versionsChanged(boolean isTold) {
        DedicatedProcesses kept = dedicated;
        if (kept != null) {
            kept.versionsChanged(isTold);
        }
    }

    /** Begins to take jobs. */
    void prepared() {
        lock.run(() -> placement.prepare(""));
    }

    /**
     * Keeps processes for a version, and waits until they are ready.
     *
     * @return why they are not; empty if they are
     */
    Optional<String> pin(ScriptKey key, dev.millrace.proto.script.v1.Script version, int processes, LockKeeper locks)
            throws InterruptedException {
        ScriptRuntime runtime = scripts.store(key, version);
        if (runtime.runsOnce()) {
            return Optional.of(
                    "Scripts in " + runtime.inWords()
                            + " get a process for each job, so that none can be kept ready: remove the script from --dedicated.");
        }
        Optional<String> refusal = lock.get(() -> budget.pin(key, new PinnedVersions.Pin(processes, locks)));
        if (refusal.isPresent()) {
            return refusal;
        }
        lock.await(
                () -> budget.isKept(key) || budget.pins().failure(key).isPresent() || placement.isClosed(),
                WarmProcess.LOAD_TIMEOUT);
        return lock.get(() -> budget.pins().failure(key));
    }

    /** Starts those processes of a pinned version that are missing. */
    void keep(ScriptKey key) {
        lock.run(() -> budget.keep(key));
    }

    /** Lets the processes of a version end after their jobs. */
    void unpin(ScriptKey key) {
        lock.run(() -> placement.unpin(key));
    }

    /** Number of processes that are kept ahead of jobs. */
    int keptCount() {
        return lock.get(budget.pins()::count);
    }

    /** Largest result of a job in bytes. */
    int resultBytesMax() {
        return resultBytesMax;
    }

    /** Client for the calls of user code. */
    JobApiClient jobApi() {
        return jobApi;
    }

    /** Temporary folder of a process. */
    Path folder(WarmProcess warm) {
        return launcher.folder(warm.processId());
    }

    /** Number of processes, including those that are starting. */
    int processCount() {
        return lock.get(budget::count);
    }

    /** Time that a job of this script has to stop: as it asks for, within what the worker allows. */
    Duration grace(ScriptAnnotation annotation) {
        Duration longest = options.grace().compareTo(options.graceMax()) < 0 ? options.graceMax() : options.grace();
        Duration wished = annotation.grace().isZero() ? options.grace() : annotation.grace();
        return wished.compareTo(longest) < 0 ? wished : longest;
    }

    // Messages of processes.

    void ready(WarmProcess warm) {
        lock.run(() -> {
            ScriptJob job = warm.running();
            if (job != null) {
                job.queue.faults = 0;
            }
            warm.ready();
            if (job == null) {
                placement.readyWithoutJob(warm);
            } else {
                lock.signal();
            }
        });
        observer.ready(warm.language(), warm.age());
        ScriptRuntime runtime = warm.runtime();
        if (runtime != null && spares.mayWait(runtime)) {
            renewSpareLater(runtime, warm.key.scope());
        }
    }

    /** Starts a spare once no process has started for a while, so that a burst of new scripts has the processors. */
    private void renewSpareLater(ScriptRuntime runtime, JobScope scope) {
        long quietNanos = System.nanoTime() - startedNanos;
        try {
            var unused = timers.schedule(
                    () -> {
                        if (System.nanoTime() - startedNanos < SPARE_DELAY.toNanos()) {
                            renewSpareLater(runtime, scope);
                        } else {
                            background.execute(() -> spares.renew(runtime, scope));
                        }
                    },
                    Math.max(1, SPARE_DELAY.toNanos() - quietNanos),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The worker is closing.
        }
    }

    LeasedJob running(WarmProcess warm, String jobId) throws ProtocolException {
        return lock.get(() -> warm.expectRunning(jobId)).lease;
    }

    @Nullable ScriptJob running(WarmProcess warm) {
        return lock.get(warm::running);
    }

    LeasedJob call(WarmProcess warm, String jobId) throws ProtocolException {
        return lock.get(() -> warm.call(jobId)).lease;
    }

    /** Stops the programs of a process that have started since a time, in the background; completes with their number. */
    CompletableFuture<Integer> stopPrograms(WarmProcess warm, Process process, Instant since) {
        return CompletableFuture.supplyAsync(() -> launcher.stopPrograms(process, warm.processId(), since), background);
    }

    void answer(WarmProcess warm, byte[] line) {
        lock.run(() -> warm.answer(line));
    }

    void result(WarmProcess warm, Frame.Result frame) throws ProtocolException {
        ScriptJob job = lock.get(() -> takeUnlessFailed(warm, frame.jobId()));
        if (job == null) {
            return;
        }
        if (job.stop == ScriptJob.Stop.TIMED_OUT) {
            job.lease.fail(JobErrors.timedOut(job.lease.timeout()));
        } else {
            job.lease.succeed(frame.json());
        }
        lock.run(() -> placement.goOn(warm, job));
    }

    void failed(WarmProcess warm, Frame.Failed frame) throws ProtocolException {
        limits.checkWhatFails(warm);
        ScriptJob job = lock.get(() -> {
            if (frame.spent()) {
                warm.spend();
            }
            return takeUnlessFailed(warm, frame.jobId());
        });
        if (job == null) {
            return;
        }
        job.lease.fail(job.stop == ScriptJob.Stop.TIMED_OUT ? JobErrors.timedOut(job.lease.timeout()) : frame.error());
        lock.run(() -> placement.goOn(warm, job));
    }

    /**
     * Takes an ended job; null if the worker is ending the process for a fault, with which the job then fails. What the
     * process reports meanwhile does not count: it may have seen its children end before itself.
     */
    private @Nullable ScriptJob takeUnlessFailed(WarmProcess warm, String jobId) throws ProtocolException {
        if (warm.failure() == null) {
            return placement.take(warm, jobId);
        }
        warm.disregardEnd(jobId);
        return null;
    }

    // Jobs with secrets.

    /** Resolves the secrets of a job, and then hands it over. Does not wait. */
    void resolve(WarmProcess warm, ScriptJob job) {
        var unused =
                jobApi.resolveSecrets(job.lease).thenAcceptAsync(answer -> resolved(warm, job, answer), background);
    }

    private void resolved(WarmProcess warm, ScriptJob job, SecretsAnswer answer) {
        if (answer instanceof SecretsAnswer.Refused refused) {
            fail(warm, job, refused.error());
            return;
        }
        try {
            JobSecrets secrets = ((SecretsAnswer.Values) answer).secrets();
            byte[] line = JobLine.job(job.lease, secrets.fill(job.lease.lease().getInput()));
            if (warm.masks.canAdd(secrets.masked())) {
                lock.run(() -> handOver(warm, job, line));
            } else {
                // The secrets of all jobs of the process are too large together: the job goes to a new one.
                lock.run(() -> kill(warm, job));
            }
        } catch (TooManyPatternsException | RuntimeException e) {
            fail(warm, job, SecretsAnswer.cannotUse(e));
        }
    }

    private static void handOver(WarmProcess warm, ScriptJob job, byte[] line) {
        // A canceled job is about to be withdrawn.
        if (warm.awaitsSecretsOf(job) && job.stop == ScriptJob.Stop.NONE) {
            warm.handOver(job, line);
        }
    }

    private static void kill(WarmProcess warm, ScriptJob job) {
        if (warm.awaitsSecretsOf(job)) {
            warm.kill();
        }
    }

    /** Fails a job that awaits its secrets. */
    private void fail(WarmProcess warm, ScriptJob job, JobError error) {
        if (lock.get(() -> placement.takeUnbegun(warm, job))) {
            job.lease.fail(error);
            lock.run(() -> placement.goOn(warm, job));
        }
    }

    /** Removes a job that awaits its secrets, because it is canceled. */
    void withdraw(WarmProcess warm, ScriptJob job) {
        lock.run(() -> {
            if (placement.takeUnbegun(warm, job)) {
                placement.goOn(warm, job);
            }
        });
    }

    private WarmProcess start(ScriptKey key) {
        startedNanos = System.nanoTime();
        WarmProcess process = new WarmProcess(key, this, new DeadlineTimer(timers));
        background.execute(() -> lives.start(process));
        return process;
    }

    private LongJobs longJobs(SlotQueue queue) {
        return new LongJobs(
                timers, () -> lock.get(queue::hasJobsBehind), () -> lock.run(() -> placement.giveBackBehind(queue)));
    }

    // The end of processes.

    void timeOut(WarmProcess warm, ScriptJob job) {
        lock.run(() -> {
            if (warm.running() == job) {
                warm.stop(job, ScriptJob.Stop.TIMED_OUT);
            }
        });
    }

    void fail(WarmProcess warm, JobError error) {
        lock.run(() -> warm.fail(error));
    }

    void failedToLoad(WarmProcess warm, JobError error) {
        limits.checkWhatFails(warm);
        fail(warm, error);
    }

    /** Notes that nothing is left of a process. */
    void gone(WarmProcess warm) {
        observer.ended(warm.language());
    }

    /** Watches what the running job of this process uses, until it ends. Must be called with the lock held. */
    void watch(WarmProcess warm, ScriptJob job) {
        limits.watch(warm, job);
    }

    void kill(WarmProcess warm) {
        lock.run(warm::kill);
    }

    /** Kills a process for a job that does not stop, unless the job has ended meanwhile and another one runs there. */
    void killIfRunning(WarmProcess warm, @Nullable ScriptJob job) {
        lock.run(() -> {
            if (warm.running() == job) {
                warm.kill();
            }
        });
    }

    /** Notes that everything that a process has sent is handled, and that nothing more comes. */
    void readToEnd(WarmProcess warm) {
        lock.run(warm::readToEnd);
    }

    /** Asks an idle process to end, unless it has ended meanwhile. */
    void retire(WarmProcess warm) {
        lock.run(() -> {
            if (!warm.isReleased()) {
                warm.retire();
            }
        });
    }

    /** Defers an action until the caller releases the lock. */
    void afterwards(Runnable action) {
        lock.afterwards(action);
    }

    void destroy(WarmProcess warm, Process process) {
        background.execute(() -> launcher.kill(process, warm.processId()));
    }

    ExecutorService background() {
        return background;
    }

    void closeStdin(Process process) {
        background.execute(() -> launcher.closeStdin(process));
    }

    void ended(WarmProcess warm, @Nullable Process process, @Nullable JobError failure) {
        lives.ended(warm, process, failure);
    }
}
