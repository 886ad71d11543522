package dev.millrace.worker.internal.process;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.runtime.DeadlineTimer;
import dev.millrace.worker.internal.session.JobErrors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One process and the jobs in its pipe; the first of them is the running one. All state is guarded by the pool's lock, under which nothing is
 * written: what goes to the process is queued, and leaves once the lock is released.
 */
final class WarmProcess {
    /**
     * A pipe holds 64 KiB on Linux, in pages that are not filled where the next line would not fit; this much is written without the danger
     * of waiting for the process to read.
     */
    static final int PIPED_BYTES_MAX = 32 << 10;

    /** Calls of one process that may be open at once, with answers that it has not read. */
    static final int CALLS_MAX = 200;

    /** A script that has not finished loading after this time never will. */
    static final Duration LOAD_TIMEOUT = Duration.ofSeconds(60);

    private enum State {
        STARTING,
        READY,
        ENDING
    }

    final ScriptKey key;
    final String processId;
    final StderrTail stderr = new StderrTail();

    private final ScriptPool pool;
    private final DeadlineTimer timer;
    private final ArrayDeque<ScriptJob> jobs = new ArrayDeque<>();
    private State state = State.STARTING;
    private int pipedBytes;
    private volatile boolean loaded;
    private final AtomicBoolean checked = new AtomicBoolean();
    private volatile boolean released;
    private int openCalls;
    private boolean asks;
    private @Nullable Process process;
    private @Nullable ProcessInput input;
    private @Nullable ScriptRuntime runtime;
    private @Nullable JobError failure;

    WarmProcess(ScriptKey key, String processId, ScriptPool pool, DeadlineTimer timer) {
        this.key = key;
        this.processId = processId;
        this.pool = pool;
        this.timer = timer;
    }

    boolean isIdle() {
        return state == State.READY && jobs.isEmpty();
    }

    int jobCount() {
        return jobs.size();
    }

    @Nullable ScriptJob running() {
        return jobs.peek();
    }

    @Nullable Process process() {
        return process;
    }

    @Nullable ScriptRuntime runtime() {
        return runtime;
    }

    /** True where the job can go into the pipe behind the running one. */
    boolean hasRoomFor(ScriptJob job) {
        ScriptJob running = jobs.peek();
        return running != null
                && state == State.READY
                && running.queue == job.queue
                && running.stop == ScriptJob.Stop.NONE
                && jobs.size() <= job.queue.pipedJobsMax()
                && pipedBytes + job.line.length <= PIPED_BYTES_MAX;
    }

    /** Takes the job: into the pipe, or along for when the process has started. */
    void assign(ScriptJob job) {
        jobs.add(job);
        if (input != null) {
            job.sent = write(job, job.line);
        }
        if (jobs.size() == 1) {
            beginRunning(job);
        }
    }

    /** The process is there: from now on jobs go into its pipe. */
    void attach(Process started, ScriptRuntime startedRuntime) {
        process = started;
        // By the handle: Process.destroy would close the channels as well.
        input = new ProcessInput(
                started.getOutputStream(), () -> started.toHandle().destroy(), pool.background());
        runtime = startedRuntime;
        timer.arm(LOAD_TIMEOUT.toNanos(), () -> pool.fail(this, loadTimedOut()));
        for (ScriptJob job : jobs) {
            job.sent = write(job, job.line);
        }
        ScriptJob running = jobs.peek();
        if (running != null && running.stop != ScriptJob.Stop.NONE) {
            kill();
        }
    }

    void ready() {
        loaded = true;
        state = state == State.STARTING ? State.READY : state;
        ScriptJob running = jobs.peek();
        if (running == null) {
            timer.disarm();
        } else {
            beginRunning(running);
        }
    }

    /**
     * The job's turn has come: its line has just been handed to a process that waits for it, or the job before it has ended. A process tells
     * nobody that it has begun one, since the host would only learn what it knows.
     */
    private void beginRunning(ScriptJob job) {
        if (state != State.READY) {
            return;
        }
        job.lease.startClock();
        pool.afterwards(job.lease::tellStarted);
        if (job.stop != ScriptJob.Stop.NONE) {
            askToStop();
        } else if (job.lease.timeout().isZero()) {
            timer.disarm();
        } else {
            timer.arm(job.lease.timeout().toNanos(), () -> pool.timeOut(this, job));
        }
    }

    /** Takes the running job out, which has ended. */
    ScriptJob ended(String jobId) throws ProtocolException {
        ScriptJob job = expectRunning(jobId);
        timer.disarm();
        jobs.remove();
        ScriptJob next = jobs.peek();
        if (next != null) {
            beginRunning(next);
        }
        return job;
    }

    private void leavePipe(ScriptJob job) {
        pipedBytes -= job.pipedBytes;
        job.pipedBytes = 0;
    }

    /** The running job, of which the process has just said something: so it has read the job's lines. */
    ScriptJob expectRunning(String jobId) throws ProtocolException {
        ScriptJob job = jobs.peek();
        if (job == null) {
            throw new ProtocolException("a frame of job " + jobId + " while no job was running.");
        }
        if (!job.lease.jobId().equals(jobId)) {
            throw new ProtocolException(
                    "a frame of job \"" + jobId + "\" while job " + job.lease.jobId() + " was running.");
        }
        leavePipe(job);
        return job;
    }

    /** The running job makes a call. From now on all lines wait for their turn, since nobody knows which answers the process has read. */
    ScriptJob call(String jobId) throws ProtocolException {
        ScriptJob job = expectRunning(jobId);
        if (input == null || openCalls + input.waitingCount() >= CALLS_MAX) {
            throw new ProtocolException("more than " + CALLS_MAX + " calls without waiting for their answers.");
        }
        asks = true;
        openCalls++;
        return job;
    }

    void answer(byte[] line) {
        openCalls--;
        queue(line);
    }

    /** Stops the job if it is in this process: asks it, and kills the process if it has not stopped after the grace time. */
    void stop(ScriptJob job, ScriptJob.Stop why) {
        if (!jobs.contains(job) || job.stop != ScriptJob.Stop.NONE) {
            return;
        }
        job.stop = why;
        if (process == null || state == State.ENDING) {
            return;
        }
        if (state == State.STARTING) {
            kill();
            return;
        }
        write(job, JobLine.cancel(job.lease));
        if (job == jobs.peek()) {
            askToStop();
        }
    }

    /** Has the process look for the cancel line of its running job, and kills it after the grace time. */
    private void askToStop() {
        if (input != null && runtime == ScriptRuntime.PYTHON) {
            input.addSignal();
            pool.afterwards(input::workOff);
        }
        timer.arm(pool.grace().toNanos(), () -> pool.kill(this));
    }

    /** Ends the process; whatever job is running fails with this error. */
    void fail(JobError error) {
        failure = failure == null ? error : failure;
        kill();
    }

    /** Ends the process at once; its reader notices and clears up. */
    void kill() {
        state = State.ENDING;
        timer.disarm();
        if (process != null) {
            pool.destroy(this, process);
        }
    }

    /** Asks an idle process to end, and sees to it that it does. */
    void retire() {
        state = State.ENDING;
        Process current = process;
        if (current != null) {
            pool.closeStdin(current);
            timer.arm(pool.grace().toNanos(), () -> pool.kill(this));
        }
    }

    /** The jobs that were in the process when it ended, the running one first. */
    List<ScriptJob> takeAll() {
        released = true;
        state = State.ENDING;
        timer.disarm();
        List<ScriptJob> left = List.copyOf(jobs);
        jobs.clear();
        pipedBytes = 0;
        return left;
    }

    /** True once its jobs have been taken from it; nothing more comes of it. */
    boolean isReleased() {
        return released;
    }

    /** True the first time: the worker checks itself once for a process that ends before it is ready. */
    boolean beginsCheck() {
        return checked.compareAndSet(false, true);
    }

    boolean wasLoaded() {
        return loaded;
    }

    @Nullable JobError failure() {
        return failure;
    }

    /** Queues a line about a job: it is in the pipe until the process says something about the job. */
    private ProcessInput.@Nullable Line write(ScriptJob job, byte[] line) {
        job.pipedBytes += line.length;
        pipedBytes += line.length;
        return queue(line);
    }

    /** Queues a line, which may have to wait where there is more in the pipe than it takes for sure, or answers that may not be read yet. */
    private ProcessInput.@Nullable Line queue(byte[] line) {
        ProcessInput to = input;
        if (to == null) {
            return null;
        }
        pool.afterwards(to::workOff);
        return to.add(line, asks || pipedBytes > PIPED_BYTES_MAX);
    }

    private static JobError loadTimedOut() {
        return JobErrors.of(
                "LoadError",
                "The script did not finish loading within " + JobErrors.inWords(LOAD_TIMEOUT)
                        + ". Move long work from the top level of the file into main.",
                false);
    }
}
