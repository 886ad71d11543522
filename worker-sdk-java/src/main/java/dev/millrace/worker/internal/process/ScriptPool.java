package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toList;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.runtime.DeadlineTimer;
import dev.millrace.worker.internal.runtime.LongJobs;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeaseKey;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns script jobs to warm processes, at most one running job per process.
 *
 * <p>Jobs of a slot group are placed strictly in order. A job goes to an idle process of its script, if there is one.
 * Else a new process starts, if the group has a free slot and the budget has room; an idle process of another script
 * makes room. Else the job goes into the pipe of a busy process of its script.
 *
 * <p>One lock guards all state. Nothing blocks under it, and nothing is written to a process: lines are queued and
 * leave after the lock is released. Starts, kills and writes that may wait happen on other threads.
 */
public final class ScriptPool implements JobEngine {
    /** Bytes that a frame may have beyond the largest result. */
    static final int FRAME_OVERHEAD_BYTES = 64 << 10;

    /**
     * If a process closes its frames channel and does not exit within this time, it is considered to have closed the
     * channel while running.
     */
    static final Duration EXIT_WAIT = Duration.ofMillis(500);

    /** After a process exits, its frames channel must end within this time, or is abandoned. */
    static final Duration CHANNEL_END_WAIT = Duration.ofSeconds(2);

    private static final Logger logger = LoggerFactory.getLogger(ScriptPool.class);

    private final ProcessHostOptions options;
    private final ScriptStore scripts;
    private final JobApiClient steps;
    private final ProcessLauncher launcher;
    private final SelfCheck selfCheck;
    private final ScheduledExecutorService timers = Threads.timer("millrace-process-timer");
    private final ExecutorService background = Executors.newCachedThreadPool(Threads.named("millrace-process-work"));

    private final PoolLock lock = new PoolLock();
    private final Map<String, SlotQueue> queues = new LinkedHashMap<>();
    private final Map<LeaseKey, ScriptJob> jobs = new HashMap<>();
    private final Map<ScriptKey, ScriptProcesses> processes = new HashMap<>();
    private final Set<WarmProcess> idle = new LinkedHashSet<>();
    private Consumer<List<SlotGroup>> roomListener = room -> {};
    private int processCount;
    private boolean draining;
    private boolean closed;

    public ScriptPool(
            ProcessHostOptions options, List<SlotGroup> slotGroups, SchedulerScripts source, JobApiClient steps)
            throws IOException {
        this(options, slotGroups, (ScriptSource) source, steps);
    }

    ScriptPool(ProcessHostOptions options, List<SlotGroup> slotGroups, ScriptSource source, JobApiClient steps)
            throws IOException {
        this.options = requireNonNull(options, "options");
        this.steps = requireNonNull(steps, "steps");
        this.scripts = new ScriptStore(PrivateFiles.folder(options.folder().resolve("scripts")), source);
        ProcessMark marks = ProcessMark.choose();
        this.launcher = new ProcessLauncher(new ProcessCommands(options, marks), marks);
        this.selfCheck = new SelfCheck(options.folder().resolve("scripts").resolve(".checks"), launcher);
        for (SlotGroup group : slotGroups) {
            queues.put(group.getName(), new SlotQueue(group, this::longJobs));
        }
    }

    @Override
    public void accept(LeasedJob lease) {
        lock.run(() -> queue(lease));
    }

    private void queue(LeasedJob lease) {
        SlotQueue queue = queues.get(lease.lease().getSlotGroup());
        if (queue == null) {
            lease.giveBack(
                    "This worker has no slot group named \"" + lease.lease().getSlotGroup() + "\".");
        } else if (draining) {
            lease.giveBack("The worker is stopping.");
        } else if (!queue.fault.isEmpty()) {
            lease.giveBack(queue.fault);
        } else {
            ScriptJob job = new ScriptJob(lease, queue);
            jobs.put(lease.key(), job);
            queue.waiting.add(job);
            place(queue);
            queue.longJobs.watch();
        }
    }

    @Override
    public void goOn() {
        lock.run(() -> queues.values().forEach(this::place));
    }

    @Override
    public void onRoomChange(Consumer<List<SlotGroup>> listener) {
        lock.run(() -> roomListener = listener);
    }

    @Override
    public void noteTurnaround(long nanos) {
        lock.run(() -> queues.values().forEach(queue -> queue.prefetch.turnedAround(nanos)));
    }

    @Override
    public void stop(LeasedJob lease, String reason) {
        lock.run(() -> stop(lease));
    }

    private void stop(LeasedJob lease) {
        ScriptJob job = jobs.remove(lease.key());
        if (job != null && !job.queue.waiting.remove(job)) {
            // There are few processes, and cancels are rare: all are asked for the job.
            for (ScriptProcesses siblings : processes.values()) {
                siblings.processes.forEach(process -> process.stop(job, ScriptJob.Stop.CANCELED));
            }
        }
    }

    @Override
    public void drain() {
        lock.run(this::giveBackWaiting);
    }

    private void giveBackWaiting() {
        draining = true;
        for (SlotQueue queue : queues.values()) {
            for (ScriptJob job : queue.waiting) {
                jobs.remove(job.lease.key());
                job.lease.giveBack("The worker is stopping.");
            }
            queue.waiting.clear();
        }
        lock.signal();
    }

    @Override
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return lock.await(jobs::isEmpty, timeout);
    }

    @Override
    public void close() {
        lock.run(() -> {
            closed = true;
            draining = true;
        });
        launcher.close();
        timers.shutdownNow();
        selfCheck.close();
    }

    /** Client for the calls of user code. */
    JobApiClient steps() {
        return steps;
    }

    /** Number of processes, including those that are starting. */
    int processCount() {
        return lock.get(() -> processCount);
    }

    Duration grace() {
        return options.grace();
    }

    // Placing jobs.

    private void place(SlotQueue queue) {
        if (!queue.fault.isEmpty()) {
            return;
        }
        for (ScriptJob job = queue.waiting.peek(); job != null; job = queue.waiting.peek()) {
            if (job.lease.isHeld() && !(job.lease.mayBegin() && place(job))) {
                return;
            }
            queue.waiting.remove();
        }
    }

    private boolean place(ScriptJob job) {
        ScriptProcesses siblings = processes.computeIfAbsent(job.key, key -> new ScriptProcesses());
        WarmProcess process;
        if (job.queue.hasFreeSlot()) {
            process = siblings.idle();
            if (process == null) {
                process = processCount < options.processesMax() || retireOne() ? add(job.key, siblings) : null;
            }
            if (process != null) {
                job.queue.busy++;
                idle.remove(process);
            }
        } else {
            process = siblings.withRoomFor(job);
        }
        if (process == null) {
            return false;
        }
        process.assign(job);
        return true;
    }

    private WarmProcess add(ScriptKey key, ScriptProcesses siblings) {
        WarmProcess process = new WarmProcess(key, launcher.nextProcessId(), this, new DeadlineTimer(timers));
        siblings.processes.add(process);
        processCount++;
        background.execute(() -> start(process));
        return process;
    }

    /** Makes room in the budget by ending the process that has been idle longest. */
    private boolean retireOne() {
        for (WarmProcess process : idle) {
            remove(process);
            process.retire();
            return true;
        }
        return false;
    }

    private void remove(WarmProcess process) {
        ScriptProcesses siblings = processes.get(process.key);
        if (siblings != null && siblings.processes.remove(process)) {
            processCount--;
            idle.remove(process);
            if (siblings.processes.isEmpty()) {
                processes.remove(process.key);
            }
        }
    }

    private void start(WarmProcess warm) {
        try {
            Script script = scripts.load(warm.key);
            Process process = launcher.start(warm.key, script, warm.processId);
            lock.run(() -> attach(warm, process, script.runtime()));
        } catch (LoadException.Unavailable e) {
            lock.run(() -> pause(warm, null, String.valueOf(e.getMessage())));
        } catch (WorkerFault e) {
            blame(warm, e);
        } catch (LoadException e) {
            ended(warm, null, e.toJobError());
        } catch (IOException | RuntimeException e) {
            ended(warm, null, JobErrors.of("LoadError", "The process could not be started: " + e + ".", true));
        }
    }

    private void attach(WarmProcess warm, Process process, ScriptRuntime runtime) {
        ProcessReader reader = new ProcessReader(this, warm, process, runtime, frameBytesMax(warm));
        warm.attach(process, runtime);
        String name = "millrace-process-" + process.pid();
        Threads.daemon(name, reader::readFrames).start();
        Threads.daemon(name + "-stderr", reader::readStderr).start();
        endEvenIfItsChannelStaysOpen(warm, process);
    }

    // Faults of the worker.

    /**
     * Finds out whether the worker or the job is at fault if a process could not be started, and handles the fault
     * there.
     */
    private void blame(WarmProcess warm, WorkerFault fault) {
        ScriptRuntime runtime = fault.runtime().orElse(null);
        Optional<String> own = selfCheck.run(runtime);
        lock.run(() -> {
            ScriptJob job = warm.running();
            if (own.isPresent()) {
                pause(warm, runtime, own.get());
            } else if (job != null && !job.startFailed) {
                // The fault may have been short, such as a full disk.
                job.startFailed = true;
                strayTo(warm, job.queue);
            } else {
                release(warm, fault.toJobError());
            }
        });
    }

    /** Takes the jobs from a process that never became ready, and puts them back to the front of their queue. */
    private void strayTo(WarmProcess warm, SlotQueue queue) {
        remove(warm);
        List<ScriptJob> left = new ArrayList<>(warm.takeAll());
        queue.busy--;
        Collections.reverse(left);
        for (ScriptJob job : left) {
            if (job.lease.isHeld() && !closed) {
                job.strayed();
                queue.waiting.addFirst(job);
            } else {
                jobs.remove(job.lease.key());
            }
        }
        if (draining) {
            giveBackWaiting();
        }
        // Its place in the budget is free for jobs of other groups, too.
        queues.values().forEach(this::place);
    }

    /**
     * Pauses the slot group because of a fault of the worker, and returns its jobs that have not begun. The group takes
     * jobs again once a check finds no fault.
     *
     * @param runtime runtime whose processes cannot be started; null if that is not the fault
     */
    private void pause(WarmProcess warm, @Nullable ScriptRuntime runtime, String reason) {
        ScriptJob first = warm.running();
        if (warm.isReleased() || first == null) {
            release(warm, JobErrors.of("LoadError", reason, true));
            return;
        }
        SlotQueue queue = first.queue;
        boolean isPaused = !queue.fault.isEmpty();
        queue.fault = reason;
        // Before the jobs return to the queue, so that they do not come back.
        tellRoom();
        strayTo(warm, queue);
        returnWaiting(queue, reason);
        if (!isPaused) {
            logger.atWarn()
                    .addKeyValue("group", queue.name())
                    .addKeyValue("reason", reason)
                    .log(
                            "Jobs of a slot group cannot begin because of a fault of this worker; they return to the queue, and the group is paused.");
            recheckLater(queue, runtime);
        }
    }

    private void returnWaiting(SlotQueue queue, String reason) {
        for (ScriptJob job : queue.waiting) {
            jobs.remove(job.lease.key());
            job.lease.giveBack(reason);
        }
        queue.waiting.clear();
        if (jobs.isEmpty()) {
            lock.signal();
        }
    }

    private void recheckLater(SlotQueue queue, @Nullable ScriptRuntime runtime) {
        Duration pause = queue.pause();
        queue.faults++;
        if (!closed) {
            var unused = timers.schedule(
                    () -> background.execute(() -> recheck(queue, runtime)), pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void recheck(SlotQueue queue, @Nullable ScriptRuntime runtime) {
        Optional<String> fault = selfCheck.run(runtime);
        lock.run(() -> {
            queue.fault = fault.orElse("");
            tellRoom();
            if (fault.isPresent()) {
                recheckLater(queue, runtime);
            } else {
                logger.atInfo().addKeyValue("group", queue.name()).log("A slot group takes jobs again.");
            }
        });
    }

    /**
     * Whether a process ended before it was ready because of a fault of the worker; if so, pauses the slot group.
     * Blocks for a check.
     */
    private boolean isOwnFault(WarmProcess warm) {
        Optional<String> fault = selfCheck.run(warm.runtime());
        fault.ifPresent(reason -> lock.run(() -> pause(warm, warm.runtime(), reason)));
        return fault.isPresent();
    }

    /** Ends the process even if a hidden child holds its frames channel open, so that its reader never sees the end. */
    private void endEvenIfItsChannelStaysOpen(WarmProcess warm, Process process) {
        var unused = process.onExit()
                .thenRunAsync(
                        () -> ended(warm, process, null),
                        CompletableFuture.delayedExecutor(
                                CHANNEL_END_WAIT.toMillis(), TimeUnit.MILLISECONDS, background));
    }

    private static int frameBytesMax(WarmProcess warm) {
        ScriptJob job = warm.running();
        int resultBytesMax = job == null ? 0 : job.lease.limits().resultBytesMax();
        return resultBytesMax + FRAME_OVERHEAD_BYTES;
    }

    // Messages of processes.

    void ready(WarmProcess warm) {
        lock.run(() -> {
            ScriptJob job = warm.running();
            if (job != null) {
                job.queue.faults = 0;
            }
            warm.ready();
        });
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

    void answer(WarmProcess warm, byte[] line) {
        lock.run(() -> warm.answer(line));
    }

    void result(WarmProcess warm, Frame.Result frame) throws ProtocolException {
        ScriptJob job = lock.get(() -> take(warm, frame.jobId()));
        if (job.stop == ScriptJob.Stop.TIMED_OUT) {
            job.lease.fail(JobErrors.timedOut(job.lease.timeout()));
        } else {
            job.lease.succeed(frame.json());
        }
        lock.run(() -> goOn(warm, job));
    }

    void failed(WarmProcess warm, Frame.Failed frame) throws ProtocolException {
        ScriptJob job = lock.get(() -> take(warm, frame.jobId()));
        job.lease.fail(job.stop == ScriptJob.Stop.TIMED_OUT ? JobErrors.timedOut(job.lease.timeout()) : frame.error());
        lock.run(() -> goOn(warm, job));
    }

    /**
     * Removes an ended job and frees its slot, unless the next job was in the pipe. Called before the end is reported,
     * since the process may get another job from then on.
     */
    private ScriptJob take(WarmProcess warm, String jobId) throws ProtocolException {
        ScriptJob job = warm.ended(jobId);
        jobs.remove(job.lease.key());
        job.queue.longJobs.ended();
        if (warm.jobCount() == 0) {
            job.queue.busy--;
        }
        return job;
    }

    /** Places waiting jobs after the end of a job has been reported. */
    private void goOn(WarmProcess warm, ScriptJob ended) {
        ScriptProcesses siblings = processes.get(warm.key);
        long ranNanos = ended.lease.ranNanos();
        if (siblings != null) {
            siblings.ran(ranNanos);
        }
        if (ended.queue.prefetch.ran(ranNanos)) {
            tellRoom();
        }
        if (warm.isIdle()) {
            idle.add(warm);
        }
        place(ended.queue);
        if (warm.isIdle()) {
            placeElsewhere(ended.queue);
        }
        if (jobs.isEmpty()) {
            lock.signal();
        }
    }

    private void tellRoom() {
        roomListener.accept(queues.values().stream().map(SlotQueue::room).collect(toList()));
    }

    private LongJobs longJobs(SlotQueue queue) {
        return new LongJobs(timers, () -> lock.get(queue::hasJobsBehind), () -> lock.run(() -> giveBackBehind(queue)));
    }

    /**
     * Returns the waiting jobs of a group: they were prefetched because its jobs are usually short, and must not wait
     * for a long one.
     */
    private void giveBackBehind(SlotQueue queue) {
        queue.prefetch.distrust();
        tellRoom();
        while (!queue.waiting.isEmpty()) {
            ScriptJob job = queue.waiting.removeLast();
            jobs.remove(job.lease.key());
            job.lease.giveBack(LongJobs.GIVEN_BACK);
        }
    }

    private void placeElsewhere(SlotQueue except) {
        for (SlotQueue queue : queues.values()) {
            if (queue != except) {
                place(queue);
            }
        }
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

    void kill(WarmProcess warm) {
        lock.run(warm::kill);
    }

    /** Defers an action until the caller releases the lock. */
    void afterwards(Runnable action) {
        lock.afterwards(action);
    }

    void destroy(WarmProcess warm, Process process) {
        background.execute(() -> launcher.kill(process, warm.processId));
    }

    ExecutorService background() {
        return background;
    }

    void closeStdin(Process process) {
        background.execute(() -> launcher.closeStdin(process));
    }

    /**
     * Handles a process that has ended, or could not be started: its running job fails, and those in its pipe go
     * elsewhere.
     */
    void ended(WarmProcess warm, @Nullable Process process, @Nullable JobError failure) {
        if (warm.isReleased()) {
            return;
        }
        JobError atEnd = process == null ? null : end(warm, process);
        JobError error = failure == null ? atEnd : failure;
        boolean mayBeOwnFault = process != null && failure == null && lock.get(() -> endsBeforeReady(warm));
        if (mayBeOwnFault && (!warm.beginsCheck() || isOwnFault(warm))) {
            return;
        }
        lock.run(() -> {
            JobError known = warm.failure();
            release(warm, known != null ? known : requireNonNull(error, "error"));
        });
    }

    /** Whether the process ended while its script was loading and no one stopped it. */
    private boolean endsBeforeReady(WarmProcess warm) {
        ScriptJob job = warm.running();
        return !closed
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
            launcher.kill(process, warm.processId);
            int exitCode = process.waitFor();
            launcher.forget(process);
            return exited
                    ? ProcessEnd.error(exitCode, warm.wasLoaded(), warm.stderr.text())
                    : JobErrors.of("ProtocolError", "The process closed its frames channel but kept running.", true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return JobErrors.of("ProcessExited", "The worker was stopped.", true);
        }
    }

    private void release(WarmProcess warm, JobError error) {
        if (warm.isReleased()) {
            return;
        }
        remove(warm);
        List<ScriptJob> left = warm.takeAll();
        if (left.isEmpty()) {
            return;
        }
        SlotQueue queue = left.get(0).queue;
        queue.busy--;
        List<ScriptJob> strays = new ArrayList<>();
        for (ScriptJob job : left) {
            if (closed || !job.lease.isHeld()) {
                jobs.remove(job.lease.key());
            } else if (job.stop == ScriptJob.Stop.TIMED_OUT) {
                jobs.remove(job.lease.key());
                job.lease.fail(JobErrors.timedOut(job.lease.timeout()));
            } else if (job == left.get(0) && failsWithItsProcess(warm, job)) {
                jobs.remove(job.lease.key());
                job.lease.fail(error);
            } else {
                job.strayed();
                strays.add(0, job);
            }
        }
        strays.forEach(queue.waiting::addFirst);
        if (draining) {
            giveBackWaiting();
        }
        queues.values().forEach(this::place);
        if (jobs.isEmpty()) {
            lock.signal();
        }
        logger.atDebug().addKeyValue("error", error.getName()).log("A script process has ended.");
    }

    private static boolean failsWithItsProcess(WarmProcess warm, ScriptJob job) {
        return !warm.wasLoaded() || warm.failure() != null || job.hasBegun() || job.strays >= ScriptJob.STRAYS_MAX;
    }
}
