package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
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
    /** What a filter leaves out is only counted, so a follower may look at more than it sends. */
    private static final LogLook FILTERED_LOOK = new LogLook(4_096, 32 << 20);

    private static final LogLook FOLLOWED_LOOK = new LogLook(FOLLOWED_CHUNKS_MAX, FOLLOWED_BYTES_MAX);
    /** Number of looks for one page that a filter leaves empty. */
    private static final int LOOKS_MAX = 16;

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

    /** The next part of a log for a follower. */
    LogPart next(RunId run, LogFilter filter, long afterPosition) {
        return store.look(run, filter, LogRange.after(afterPosition), Optional.empty(), FOLLOWED_LOOK);
    }

    /**
     * A page of a log.
     *
     * @param nextToken token of the next page; empty at the end of the range
     */
    record Page(List<LogChunk> chunks, String nextToken, LogBounds bounds) {}

    /** A page of the chunks that fit. It has fewer than wanted if they are large, or far apart. */
    Page page(RunId run, LogFilter filter, LogRange range, PageRequest request) {
        LogBounds bounds = store.bounds(run);
        int chunksMax = Math.min(request.size(), READ_CHUNKS_MAX);
        LogLook look = filter.isAll() ? new LogLook(chunksMax, READ_BYTES_MAX) : FILTERED_LOOK;
        LogRange left = request.after().isEmpty() ? range : range.beyond(request.afterNumber(BEGINNING));
        List<LogChunk> chunks = List.of();
        for (int looks = 0; looks < LOOKS_MAX && chunks.isEmpty() && !left.isEmpty(bounds); looks++) {
            LogPart part = store.look(run, filter, left, Optional.empty(), look);
            chunks = cut(part.chunks().stream().limit(chunksMax).toList(), READ_BYTES_MAX);
            if (part.isEnd()) {
                return new Page(chunks, "", bounds);
            }
            boolean isWhole = chunks.size() == part.chunks().size();
            left = left.beyond(isWhole ? part.last() : chunks.getLast().position());
        }
        return new Page(chunks, left.isEmpty(bounds) ? "" : PageRequest.token(left.token()), bounds);
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
