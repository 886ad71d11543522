package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.Results;
import dev.millrace.proto.worker.v1.StartedJobs;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.proto.worker.v1.WorkerLogs;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages that wait to be sent, and sent ones that are not acknowledged yet.
 *
 * <p>Producers add from any thread. One sender takes all pending messages at once, so that a single result leaves
 * immediately and a burst shares messages. The logs of a job always leave before its result. Results are never
 * rejected: there are at most as many as held leases. Logs are bounded, and a producer waits while the buffer is full.
 */
final class Outbox {
    static final int RESULTS_PER_MESSAGE_MAX = 500;
    static final int MESSAGE_BYTES_MAX = 1 << 20;
    static final long LOG_BUFFER_BYTES_MAX = 8L << 20;

    /**
     * Delay of a started message, which only informs people: it waits this long, or for a log to leave with. A job that
     * ends sooner needs none.
     */
    static final long STARTED_DELAY_NANOS = Duration.ofMillis(10).toNanos();

    private record LogBatch(WorkerLogs message, int bytes) {}

    private record StartedJob(LeasedJob job, long dueNanos) {}

    private final Runnable sendNow;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition logRoom = lock.newCondition();
    private final Condition settled = lock.newCondition();

    private ArrayDeque<JobResult> results = new ArrayDeque<>();
    private final Map<LeaseKey, JobResult> unacknowledgedResults = new LinkedHashMap<>();
    private final Map<LeaseKey, StartedJob> started = new LinkedHashMap<>();
    private boolean watchesStarted;
    private final ArrayDeque<WorkerLog> logs = new ArrayDeque<>();
    private final ArrayDeque<LogBatch> resentLogs = new ArrayDeque<>();
    private final ArrayDeque<LogBatch> unacknowledgedLogs = new ArrayDeque<>();
    private long logBytes;
    private long lastLogBatch;
    private boolean signalled;
    private boolean waiting;
    private boolean closed;

    /** @param sendNow sends pending messages from the calling thread, or lets the sender do it */
    Outbox(Runnable sendNow) {
        this.sendNow = requireNonNull(sendNow, "sendNow");
    }

    /**
     * Adds a result. If no other result is unacknowledged, the calling thread sends it, which saves the time to wake
     * the sender. Otherwise the sender sends it together with all others that have arrived by then.
     */
    void addResult(LeaseKey key, JobResult result) {
        boolean alone;
        lock.lock();
        try {
            started.remove(key);
            unacknowledgedResults.put(key, result);
            results.add(result);
            // The job's own thread may wait for room. It has been interrupted, and has nothing left to say.
            logRoom.signalAll();
            alone = unacknowledgedResults.size() == 1;
            if (!alone) {
                wake();
            }
        } finally {
            lock.unlock();
        }
        if (alone) {
            sendNow.run();
        }
    }

    /**
     * Adds a started message. Only the first of many wakes the sender, which looks again when that message is due; most
     * jobs have ended by then. For a job that runs alone it is sent at once, since the worker may soon be gone.
     */
    void addStarted(LeasedJob job) {
        lock.lock();
        try {
            boolean atOnce = job.lease().getAlone();
            started.put(job.key(), new StartedJob(job, System.nanoTime() + (atOnce ? 0 : STARTED_DELAY_NANOS)));
            if (!watchesStarted || atOnce) {
                watchesStarted = true;
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    void addLog(LeasedJob job, WorkerLog log) {
        lock.lock();
        try {
            while (logBytes > LOG_BUFFER_BYTES_MAX && !closed && job.isHeld()) {
                logRoom.awaitUninterruptibly();
            }
            if (!closed && job.isHeld()) {
                append(log);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the end of a log, before the result of its job. It is short, so it does not wait for room. */
    void addLastLog(WorkerLog log) {
        lock.lock();
        try {
            append(log);
        } finally {
            lock.unlock();
        }
    }

    private void append(WorkerLog log) {
        logs.add(log);
        logBytes += log.getSerializedSize();
        wake();
    }

    /** Takes the messages to send now, in their order; empty if there are none. */
    List<OpenSessionRequest> take(long nowNanos) {
        lock.lock();
        try {
            List<OpenSessionRequest> messages = new ArrayList<>();
            takeLogs(messages);
            if (!started.isEmpty() && (startedDueNanos() - nowNanos <= 0 || !messages.isEmpty())) {
                takeStarted(messages);
            }
            while (!results.isEmpty()) {
                takeResults(messages);
            }
            return messages;
        } finally {
            lock.unlock();
        }
    }

    private void takeLogs(List<OpenSessionRequest> messages) {
        for (LogBatch batch = resentLogs.poll(); batch != null; batch = resentLogs.poll()) {
            messages.add(request().setLogs(batch.message).build());
        }
        while (!logs.isEmpty()) {
            WorkerLogs.Builder batch = WorkerLogs.newBuilder().setBatch(++lastLogBatch);
            int bytes = 0;
            while (!logs.isEmpty() && bytes < MESSAGE_BYTES_MAX) {
                WorkerLog log = logs.remove();
                bytes += log.getSerializedSize();
                batch.addLogs(log);
            }
            LogBatch sent = new LogBatch(batch.build(), bytes);
            unacknowledgedLogs.add(sent);
            messages.add(request().setLogs(sent.message).build());
        }
    }

    private void takeStarted(List<OpenSessionRequest> messages) {
        StartedJobs.Builder jobs = StartedJobs.newBuilder();
        for (StartedJob entry : started.values()) {
            if (entry.job.isHeld()) {
                jobs.addJobs(entry.job.startedMessage());
            }
        }
        started.clear();
        if (jobs.getJobsCount() > 0) {
            messages.add(request().setStarted(jobs).build());
        }
    }

    private void takeResults(List<OpenSessionRequest> messages) {
        Results.Builder batch = Results.newBuilder();
        int bytes = 0;
        while (!results.isEmpty() && bytes < MESSAGE_BYTES_MAX && batch.getResultsCount() < RESULTS_PER_MESSAGE_MAX) {
            JobResult result = results.remove();
            bytes += result.getSerializedSize();
            batch.addResults(result);
        }
        messages.add(request().setResults(batch).build());
    }

    void acknowledgeResult(LeaseKey key) {
        lock.lock();
        try {
            unacknowledgedResults.remove(key);
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the result of a lost lease, sent or not. */
    void forget(LeaseKey key) {
        lock.lock();
        try {
            JobResult result = unacknowledgedResults.remove(key);
            if (result != null) {
                results.remove(result);
            }
            started.remove(key);
            logRoom.signalAll();
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void acknowledgeLogs(long batch) {
        lock.lock();
        try {
            LogBatch oldest = unacknowledgedLogs.peek();
            while (oldest != null && oldest.message.getBatch() <= batch) {
                logBytes -= oldest.bytes;
                unacknowledgedLogs.remove();
                resentLogs.remove(oldest);
                oldest = unacknowledgedLogs.peek();
            }
            logRoom.signalAll();
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Queues all messages again that the scheduler may lack, because the connection is new and the session is the same.
     */
    void resend(long logsAcknowledged) {
        acknowledgeLogs(logsAcknowledged);
        lock.lock();
        try {
            results = new ArrayDeque<>(unacknowledgedResults.values());
            resentLogs.clear();
            resentLogs.addAll(unacknowledgedLogs);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything, because the session is lost and all its leases with it. */
    void clear() {
        lock.lock();
        try {
            results.clear();
            unacknowledgedResults.clear();
            started.clear();
            logs.clear();
            resentLogs.clear();
            unacknowledgedLogs.clear();
            logBytes = 0;
            lastLogBatch = 0;
            logRoom.signalAll();
            settled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all messages are sent and acknowledged; false if the timeout expires. */
    boolean awaitSettled(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (!unacknowledgedResults.isEmpty() || !logs.isEmpty() || !unacknowledgedLogs.isEmpty()) {
                if (left <= 0) {
                    return false;
                }
                left = settled.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the sender for something else than a message. */
    void signal() {
        lock.lock();
        try {
            signalled = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a message to send (if the connection is ready), a signal, or the end of the time. */
    void await(long nanos, boolean connectionReady) throws InterruptedException {
        lock.lock();
        try {
            waiting = true;
            long end = System.nanoTime() + nanos;
            while (!signalled && !(connectionReady && hasWork())) {
                long left = end - System.nanoTime();
                watchesStarted = connectionReady && !started.isEmpty();
                if (watchesStarted) {
                    left = Math.min(left, startedDueNanos() - System.nanoTime());
                }
                if (left <= 0) {
                    break;
                }
                work.awaitNanos(left);
            }
            signalled = false;
        } finally {
            waiting = false;
            lock.unlock();
        }
    }

    /** Releases waiting threads; messages added later are not sent. */
    void close() {
        lock.lock();
        try {
            closed = true;
            logRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Latest time at which the oldest started message must be sent. */
    private long startedDueNanos() {
        return started.values().iterator().next().dueNanos;
    }

    private boolean hasWork() {
        return !results.isEmpty() || !logs.isEmpty() || !resentLogs.isEmpty();
    }

    private void wake() {
        if (waiting) {
            work.signal();
        }
    }

    private static OpenSessionRequest.Builder request() {
        return OpenSessionRequest.newBuilder();
    }
}
