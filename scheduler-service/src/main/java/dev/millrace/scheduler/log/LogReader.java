package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads logs. Blocking and thread-safe. */
public final class LogReader {
    /** Where a reader begins. */
    public static final long BEGINNING = 0;
    /** Most text of one read. */
    private static final int READ_BYTES_MAX = 1 << 20;

    private static final int READ_CHUNKS_MAX = 256;
    /** The same for followers, of whom there may be many, each holding what it has read until it is taken. */
    private static final int FOLLOWED_BYTES_MAX = 128 << 10;

    private static final int FOLLOWED_CHUNKS_MAX = 64;
    /** How long a follower waits at the end of a run for its last logs to be stored. */
    private static final Duration LAST_LOGS_WAIT_MAX = Duration.ofSeconds(5);

    private final LogStore store;
    private final LogWriter writer;

    public LogReader(LogStore store, LogWriter writer) {
        this.store = store;
        this.writer = writer;
    }

    /** Chunks after a position, in order, as many as a follower should hold at once; empty at the end. */
    public List<LogChunk> read(RunId run, Optional<JobId> job, long afterPosition) {
        return cut(store.read(run, job, afterPosition, FOLLOWED_CHUNKS_MAX), FOLLOWED_BYTES_MAX);
    }

    /** The same for a page of at most {@code limit} chunks. */
    public List<LogChunk> read(RunId run, Optional<JobId> job, long afterPosition, int limit) {
        return cut(store.read(run, job, afterPosition, Math.min(limit, READ_CHUNKS_MAX)), READ_BYTES_MAX);
    }

    private static List<LogChunk> cut(List<LogChunk> chunks, int bytesMax) {
        int bytes = 0;
        for (int count = 0; count < chunks.size(); count++) {
            bytes += chunks.get(count).entry().sizeBytes();
            if (bytes > bytesMax && count > 0) {
                return chunks.subList(0, count);
            }
        }
        return chunks;
    }

    /** Waits until all that was appended here so far is stored. */
    public void awaitStored() {
        CompletableFuture<Void> stored = writer.barrier()
                .completeOnTimeout(null, LAST_LOGS_WAIT_MAX.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
        stored.exceptionally(lost -> null).join();
    }
}
