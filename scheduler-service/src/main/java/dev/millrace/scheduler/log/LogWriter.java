package dev.millrace.scheduler.log;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.database.DatabaseErrors;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Single writer of logs, which stores them in batches.
 *
 * <p>One virtual thread inserts all waiting entries at once, while the entries that arrive meanwhile gather for the
 * next insert. While the database is unavailable, the writer keeps its entries and retries. Thread-safe: the monitor of
 * {@code waiting} guards the waiting appends.
 */
public final class LogWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

    /** Maximum text of one insert, in bytes. */
    private static final int BATCH_BYTES_MAX = 1 << 20;

    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);
    private static final Duration IDLE_WAIT_MAX = Duration.ofMinutes(1);

    private record Append(List<LogEntry> entries, int bytes, CompletableFuture<Void> stored) {}

    private final LogStore store;
    private final RunEvents events;
    private final MemoryPart memory;
    private final LogAdmission admission;
    /**
     * Next sequence of the scheduler's own chunks. It starts at the time in microseconds, so it never meets sequences
     * of the worker or of another scheduler.
     */
    private final AtomicLong systemSequence;

    private final Deque<Append> waiting = new ArrayDeque<>();
    private final WakeLatch arrived = new WakeLatch();
    private final Thread thread;
    private volatile boolean closed;

    private LogWriter(LogStore store, RunEvents events, MemoryPart memory, LogAdmission admission, long startMicros) {
        this.store = store;
        this.admission = admission;
        this.events = events;
        this.memory = memory;
        this.systemSequence = new AtomicLong(startMicros);
        this.thread = Thread.ofVirtual().name("log-writer").unstarted(this::writeUntilClosed);
    }

    /**
     * Starts the writer.
     *
     * @param memory budget of the waiting entries
     * @param admission decides what is dropped of what jobs print
     * @param startMicros current time in microseconds
     */
    public static LogWriter start(
            LogStore store, RunEvents events, MemoryPart memory, LogAdmission admission, long startMicros) {
        LogWriter writer = new LogWriter(store, events, memory, admission, startMicros);
        writer.thread.start();
        return writer;
    }

    /** Budget of the waiting entries. While it is full, callers must not append: see {@link MemoryPart#whenRoom}. */
    public MemoryPart memory() {
        return memory;
    }

    /** Whether a workspace may store so many bytes more of what its jobs print. */
    public boolean admits(Workspace workspace, long bytes) {
        return admission.admits(workspace, bytes);
    }

    /** Appends the entries even if the budget is full. The future completes once all are stored. */
    public CompletableFuture<Void> append(List<LogEntry> entries) {
        int bytes = entries.stream().mapToInt(LogEntry::sizeBytes).sum();
        Append append = new Append(List.copyOf(entries), bytes, new CompletableFuture<>());
        synchronized (waiting) {
            if (closed) {
                return CompletableFuture.failedFuture(
                        new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop."));
            }
            waiting.add(append);
            memory.reserve(bytes);
        }
        arrived.raise();
        return append.stored;
    }

    /** Completes once every earlier append is stored or has failed. */
    public CompletableFuture<Void> barrier() {
        return append(List.of());
    }

    /**
     * Appends a line of Millrace itself to a job's log. The line is dropped if the budget is full or the database
     * rejects it.
     */
    public void system(RunId run, JobId job, String stepKey, int attempt, String text) {
        if (memory.isFull()) {
            log.atWarn()
                    .addKeyValue("job", job)
                    .log("The scheduler dropped its line for a job's log: too many logs wait to be stored");
            return;
        }
        long sequence = systemSequence.getAndIncrement();
        append(List.of(new LogEntry(run, job, stepKey, attempt, LogStream.SYSTEM, sequence, text + "\n")))
                .exceptionally(failure -> {
                    log.atWarn().setCause(failure).log("The scheduler's line for a job's log could not be stored");
                    return null;
                });
    }

    /** Stores the waiting entries, then stops. Entries that cannot be stored fail. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
        }
        arrived.raise();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeUntilClosed() {
        try {
            while (true) {
                List<Append> batch = take();
                if (!batch.isEmpty()) {
                    write(batch);
                    memory.release(batch.stream().mapToLong(Append::bytes).sum());
                } else if (closed) {
                    return;
                } else {
                    arrived.await(IDLE_WAIT_MAX);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Append> take() {
        List<Append> batch = new ArrayList<>();
        int bytes = 0;
        synchronized (waiting) {
            while (!waiting.isEmpty() && (bytes == 0 || bytes + waiting.getFirst().bytes <= BATCH_BYTES_MAX)) {
                bytes += waiting.getFirst().bytes;
                batch.add(waiting.removeFirst());
            }
        }
        return batch;
    }

    private void write(List<Append> batch) throws InterruptedException {
        List<LogEntry> entries =
                batch.stream().flatMap(append -> append.entries.stream()).toList();
        boolean stored = entries.isEmpty();
        while (!stored) {
            try {
                store.insert(entries);
                stored = true;
            } catch (MillraceException failure) {
                if (closed || !DatabaseErrors.isUnavailable(failure)) {
                    log.atError()
                            .addKeyValue("entries", entries.size())
                            .setCause(failure)
                            .log("Logs could not be stored");
                    batch.forEach(append -> append.stored.completeExceptionally(failure));
                    return;
                }
                log.atWarn().addKeyValue("entries", entries.size()).log("Logs wait for the database");
                WakeLatch.pause(RETRY_PAUSE);
            }
        }
        batch.forEach(append -> append.stored.complete(null));
        entries.stream().map(LogEntry::run).distinct().forEach(events::changed);
    }
}
