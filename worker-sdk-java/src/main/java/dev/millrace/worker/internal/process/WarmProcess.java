package dev.millrace.worker.internal.process;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.limit.ScriptAnnotation;
import dev.millrace.worker.internal.runtime.DeadlineTimer;
import dev.millrace.worker.internal.secret.Masks;
import dev.millrace.worker.internal.session.JobErrors;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One process and the jobs in its pipe; the first of them is running. The pool's lock guards all state. Nothing is
 * written under the lock: lines are queued, and leave once it is released.
 */
final class WarmProcess {
    /**
     * Bytes that can be written without waiting for the process to read. A pipe holds 64 KiB on Linux, but its pages
     * are not filled if the next line does not fit.
     */
    static final int PIPED_BYTES_MAX = 32 << 10;

    /** Largest number of open calls of one process, including those whose answers it has not read. */
    static final int CALLS_MAX = 200;

    /** A script that has not finished loading after this time never will. */
    static final Duration LOAD_TIMEOUT = Duration.ofSeconds(60);

    /**
     * Time in which a process that was stopped while its script loads may report that it is ready. Its job may have begun
     * already, in a process whose report nobody has read yet.
     */
    static final Duration LOAD_GRACE = Duration.ofMillis(500);

    /**
     * Time for which a process that has given up its place stays, since its end takes processor time that the start of
     * its successor needs.
     */
    private static final Duration YIELD_DELAY = Duration.ofMillis(50);

    private enum State {
        STARTING,
        READY,
        ENDING
    }

    final ScriptKey key;
    /** Secrets of all jobs that this process has run: it may print any of them as long as it lives. */
    final Masks masks = new Masks();

    final StderrTail stderr = new StderrTail(masks);

    private final ScriptPool pool;
    private final DeadlineTimer timer;
    private final ArrayDeque<ScriptJob> jobs = new ArrayDeque<>();
    private final Instant startTime = Instant.now();
    private final long startNanos = System.nanoTime();
    private State state = State.STARTING;
    private volatile String processId = "";
    private long jobsEnded;
    private int pipedBytes;
    private volatile boolean loaded;
    private final AtomicBoolean checked = new AtomicBoolean();
    private volatile boolean released;
    private int openCalls;
    private boolean asks;
    private @Nullable Process process;
    private @Nullable ProcessInput input;
    private @Nullable ScriptRuntime runtime;
    private ScriptAnnotation annotation = ScriptAnnotation.NONE;
    private boolean used;
    private boolean unfit;
    private boolean isReadToEnd;
    private boolean leaving;
    private @Nullable JobError failure;

    WarmProcess(ScriptKey key, ScriptPool pool, DeadlineTimer timer) {
        this.key = key;
        this.pool = pool;
        this.timer = timer;
    }

    /** Notes the mark that the started process and all its descendants carry. */
    void startedAs(String mark) {
        processId = mark;
    }

    /** The mark of the started process; empty before. */
    String processId() {
        return processId;
    }

    boolean isIdle() {
        return state == State.READY && jobs.isEmpty() && !isSpent();
    }

    /** Whether it has had the only job that it is to have, or must have no other, and awaits nothing. */
    boolean isSpent() {
        return jobs.isEmpty() && (unfit || leaving || (annotation.fresh() && used));
    }

    /** What lists of processes show of it, without its memory. */
    ScriptProcess describe() {
        ScriptProcess.Builder description = ScriptProcess.newBuilder()
                .setWorkspace(key.workspace())
                .setScriptHash(key.hash())
                .setState(describedState())
                .setStartTime(Timestamp.newBuilder()
                        .setSeconds(startTime.getEpochSecond())
                        .setNanos(startTime.getNano()))
                .setJobsEnded(jobsEnded);
        if (process != null) {
            description.setPid(process.pid());
        }
        if (runtime != null) {
            description.setLanguage(runtime.name());
        }
        return description.build();
    }

    private ScriptProcess.State describedState() {
        return switch (state) {
            case STARTING -> ScriptProcess.State.STATE_STARTING;
            case READY -> jobs.isEmpty() ? ScriptProcess.State.STATE_IDLE : ScriptProcess.State.STATE_BUSY;
            case ENDING -> ScriptProcess.State.STATE_DRAINING;
        };
    }

    /** Whether no job may begin here any more. */
    boolean isUnfit() {
        return unfit;
    }

    /** Lets no job begin here any more. Those that wait in its pipe go elsewhere when the process has ended. */
    void spend() {
        unfit = true;
        state = State.ENDING;
    }

    /** Lets no further job come here. Those that wait in its pipe run. */
    void leave() {
        leaving = true;
    }

    boolean hasEndedJobs() {
        return jobsEnded > 0;
    }

    /** Ends a spent process: at once if code of its last job may still run there. */
    void endSpent() {
        if (unfit) {
            kill();
        } else {
            retire();
        }
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

    /** Name of the script's language; empty before the process has started. */
    String language() {
        return runtime == null ? "" : runtime.name();
    }

    /** Time since it was decided to start the process. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    JobLimits limits() {
        return annotation.limits();
    }

    /**
     * Whether the job fits into the pipe behind the running one. Secrets wait in no pipe, and a job that awaits them is
     * not in the pipe yet.
     */
    boolean hasRoomFor(ScriptJob job) {
        ScriptJob running = jobs.peek();
        return running != null
                && job.line != null
                && !running.awaitsSecrets()
                && state == State.READY
                && !annotation.fresh()
                && !leaving
                && running.queue == job.queue
                && running.stop == ScriptJob.Stop.NONE
                && jobs.size() <= job.queue.pipedJobsMax()
                && pipedBytes + job.line.length <= PIPED_BYTES_MAX;
    }

    /** Assigns the job: into the pipe, or kept until the process has started. */
    void assign(ScriptJob job) {
        jobs.add(job);
        used = true;
        job.lease.maskWith(masks);
        if (input != null) {
            send(job);
        }
        if (jobs.size() == 1) {
            beginRunning(job);
        }
    }

    /** Connects the started process; from then on jobs go into its pipe. */
    void attach(Process started, OutputStream stdin, Script script) {
        process = started;
        // By the handle: Process.destroy would close the channels, too.
        input = new ProcessInput(stdin, () -> started.toHandle().destroy(), pool.background());
        runtime = script.runtime();
        annotation = script.annotation();
        timer.arm(LOAD_TIMEOUT.toNanos(), () -> pool.fail(this, loadTimedOut()));
        jobs.forEach(this::send);
        ScriptJob running = jobs.peek();
        if (running != null) {
            // What a script does while it loads counts, too.
            pool.watch(this, running);
        }
        // A process without a job may have been retired before it started.
        boolean isRetired = running == null && state == State.ENDING;
        if (isRetired || (running != null && running.stop != ScriptJob.Stop.NONE)) {
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
     * Marks the job as running. Its line has just been written to an idle process, or the job before it has ended.
     * Processes do not report that a job begins, because the host knows it already.
     */
    private void beginRunning(ScriptJob job) {
        if (state == State.ENDING && loaded && !unfit) {
            // It is being killed, and may have begun the job before the kill reached it.
            job.lease.startClock();
        }
        if (state != State.READY) {
            return;
        }
        if (job.awaitsSecrets()) {
            timer.disarm();
            pool.afterwards(() -> pool.resolve(this, job));
            return;
        }
        job.lease.limit(annotation.limits());
        pool.watch(this, job);
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

    /** Hands a job over whose secrets are resolved, and which is the only one of an idle process. */
    void handOver(ScriptJob job, byte[] line) {
        job.line = line;
        send(job);
        beginRunning(job);
    }

    /** Whether this job is the next one to run here, and awaits its secrets. */
    boolean awaitsSecretsOf(ScriptJob job) {
        return job == jobs.peek() && job.awaitsSecrets();
    }

    /** Removes the running job after its end. */
    ScriptJob ended(String jobId) throws ProtocolException {
        ScriptJob job = expectRunning(jobId);
        removeFirst();
        jobsEnded++;
        return job;
    }

    /**
     * Notes that the running job has ended, although its end does not count: the next one in the pipe may have begun before
     * the process is killed.
     */
    void disregardEnd(String jobId) {
        Iterator<ScriptJob> inOrder = jobs.iterator();
        if (inOrder.hasNext() && inOrder.next().lease.jobId().equals(jobId) && inOrder.hasNext() && !unfit) {
            inOrder.next().lease.startClock();
        }
    }

    /** Removes the first job; the next one in the pipe, if there is one, runs then. */
    void removeFirst() {
        timer.disarm();
        jobs.remove();
        ScriptJob next = jobs.peek();
        if (next != null) {
            beginRunning(next);
        }
    }

    private void leavePipe(ScriptJob job) {
        pipedBytes -= job.pipedBytes;
        job.pipedBytes = 0;
    }

    /** Returns the running job, from which a frame has arrived: the process has read the job's lines. */
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

    /**
     * Records a call of the running job. From then on every line may have to wait, since the host cannot tell which
     * answers the process has read.
     */
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

    /** Stops the job if it is in this process: asks it, and kills the process after the grace time. */
    void stop(ScriptJob job, ScriptJob.Stop why) {
        if (!jobs.contains(job) || job.stop != ScriptJob.Stop.NONE) {
            return;
        }
        job.stop = why;
        if (process == null || state == State.ENDING) {
            return;
        }
        if (job.awaitsSecrets()) {
            if (state == State.STARTING) {
                kill();
            } else {
                pool.afterwards(() -> pool.withdraw(this, job));
            }
            return;
        }
        write(job, JobLine.cancel(job.lease));
        if (job == jobs.peek()) {
            askToStop();
        }
    }

    /**
     * Makes the process look for the cancel line of its running job, and kills it after the grace time. A script that is
     * still loading has less time: Python ends at once, since it does not expect the signal yet.
     */
    private void askToStop() {
        if (input != null && runtime == ScriptRuntime.PYTHON) {
            input.addSignal();
            pool.afterwards(input::workOff);
        }
        Duration grace = pool.grace(annotation);
        boolean hasLessTime = state == State.STARTING && LOAD_GRACE.compareTo(grace) < 0;
        ScriptJob asked = jobs.peek();
        timer.arm((hasLessTime ? LOAD_GRACE : grace).toNanos(), () -> pool.killIfRunning(this, asked));
    }

    /** Ends the process; a running job fails with this error. */
    void fail(JobError error) {
        failure = failure == null ? error : failure;
        kill();
    }

    /** Ends the process at once; its reader notices and cleans up. */
    void kill() {
        state = State.ENDING;
        timer.disarm();
        if (process != null) {
            pool.destroy(this, process);
        }
    }

    /** Gives up the place of an idle process to another one; it gets no further job, and is asked to end a little later. */
    void yieldPlace() {
        state = State.ENDING;
        timer.arm(YIELD_DELAY.toNanos(), () -> pool.retire(this));
    }

    /** Asks an idle process to end, and makes sure that it does. */
    void retire() {
        state = State.ENDING;
        Process current = process;
        if (current != null) {
            pool.closeStdin(current);
            timer.arm(pool.grace(ScriptAnnotation.NONE).toNanos(), () -> pool.kill(this));
        }
    }

    /** Removes and returns the jobs of an ended process, the running one first. */
    List<ScriptJob> takeAll() {
        released = true;
        state = State.ENDING;
        timer.disarm();
        List<ScriptJob> left = List.copyOf(jobs);
        jobs.clear();
        pipedBytes = 0;
        return left;
    }

    /** Notes that everything that the process has sent is handled, and that nothing more comes. */
    void readToEnd() {
        isReadToEnd = true;
    }

    /**
     * Whether user code of a job may have run here, once the process has ended. As long as some of what the process has sent
     * is unread, any job in its pipe may have.
     */
    boolean mayHaveBegun(ScriptJob job) {
        return job.hasBegun() || (!isReadToEnd && job.wasSent());
    }

    /** True once the process's jobs have been taken away; it has no further effect. */
    boolean isReleased() {
        return released;
    }

    /** True on the first call only: the worker checks itself once for a process that ends before it is ready. */
    boolean beginsCheck() {
        return checked.compareAndSet(false, true);
    }

    boolean wasLoaded() {
        return loaded;
    }

    @Nullable JobError failure() {
        return failure;
    }

    private void send(ScriptJob job) {
        byte[] line = job.line;
        if (line != null) {
            job.sent = write(job, line);
        }
    }

    /** Queues a line about a job. It counts as in the pipe until the process sends something about the job. */
    private ProcessInput.@Nullable Line write(ScriptJob job, byte[] line) {
        job.pipedBytes += line.length;
        pipedBytes += line.length;
        return queue(line);
    }

    /**
     * Queues a line. It may have to wait if the pipe holds more than surely fits, or answers that may be unread. What a
     * process reads that speaks no protocol is made of the line, and may be longer.
     */
    private ProcessInput.@Nullable Line queue(byte[] line) {
        ProcessInput to = input;
        if (to == null) {
            return null;
        }
        pool.afterwards(to::workOff);
        return to.add(line, asks || runsOnce() || pipedBytes > PIPED_BYTES_MAX);
    }

    private boolean runsOnce() {
        ScriptRuntime known = runtime;
        return known != null && known.runsOnce();
    }

    private static JobError loadTimedOut() {
        return JobErrors.of(
                "LoadError",
                "The script did not finish loading within " + JobErrors.inWords(LOAD_TIMEOUT)
                        + ". Move long work from the top level of the file into main.",
                false);
    }
}
