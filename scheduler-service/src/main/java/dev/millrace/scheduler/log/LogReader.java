package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads logs for pages and followers. Blocking and thread-safe. */
public final class LogReader {
    /** Position before the first chunk. */
    public static final long BEGINNING = 0;
    /** Maximum text of one page, in bytes. */
    private static final int READ_BYTES_MAX = 1 << 20;

    private static final int READ_CHUNKS_MAX = 256;
    /**
     * Most text of one read by a follower, in bytes. It is small, because many followers may hold their chunks until
     * clients take them.
     */
    private static final int FOLLOWED_BYTES_MAX = 128 << 10;

    private static final int FOLLOWED_CHUNKS_MAX = 64;
    /** Longest time that a follower waits at the end of a run for the last logs to be stored. */
    private static final Duration LAST_LOGS_WAIT_MAX = Duration.ofSeconds(5);

    private final LogStore store;
    private final LogWriter writer;

    public LogReader(LogStore store, LogWriter writer) {
        this.store = store;
        this.writer = writer;
    }

    /** Chunks after a position, in order, at most as many as one follower should hold; empty at the end of the log. */
    public List<LogChunk> read(RunId run, Optional<JobId> job, long afterPosition) {
        return cut(store.read(run, job, afterPosition, FOLLOWED_CHUNKS_MAX), FOLLOWED_BYTES_MAX);
    }

    /** Chunks after a position, in order, for a page of at most {@code limit} chunks. */
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

    /**
     * Waits until every entry appended to this scheduler's writer so far is stored, at most {@link
     * #LAST_LOGS_WAIT_MAX}.
     */
    public void awaitStored() {
        CompletableFuture<Void> stored = writer.barrier()
                .completeOnTimeout(null, LAST_LOGS_WAIT_MAX.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
        stored.exceptionally(lost -> null).join();
    }
}
