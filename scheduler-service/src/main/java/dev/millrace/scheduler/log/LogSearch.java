package dev.millrace.scheduler.log;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds lines in logs of any size. The database looks for chunks that may contain the text, a limited part of the log at a
 * time. A page ends once it is full, or has taken {@link #TIME_MAX}, or sooner if it has matches. Blocking and thread-safe.
 */
public final class LogSearch {
    private static final Duration TIME_MAX = Duration.ofSeconds(1);
    /** Time after which a page is returned with the matches that it has. */
    private static final Duration TIME_WITH_MATCHES_MAX = Duration.ofMillis(100);

    private static final int CHUNKS_MIN = 256;
    private static final int CHUNKS_MAX = 4_096;
    private static final int BYTES_MAX = 8 << 20;

    /** Position of the chunk before the first one, from which a search begins. */
    private static final SearchPlace BEGINNING = new SearchPlace(0, SearchPlace.WHOLE);

    private final LogStore store;

    public LogSearch(Database database) {
        this.store = new LogStore(database);
    }

    /**
     * A page of matches.
     *
     * @param nextToken token of the next page; empty once the whole range was searched
     * @param searchedPosition position of the last chunk that was searched; 0 if there was none
     */
    record Page(List<LineSearch.Match> matches, String nextToken, long searchedPosition) {}

    Page find(RunId run, LogFilter filter, LogRange range, LineSearch search, PageRequest request) {
        SearchPlace begin = request.after().isEmpty() ? BEGINNING : SearchPlace.parse(request.after());
        LogRange left = request.after().isEmpty() ? range : begin.left(range);
        List<LineSearch.Match> matches = new ArrayList<>();
        long searched = begin.position();
        LogLook look = new LogLook(CHUNKS_MIN, BYTES_MAX);
        long start = System.nanoTime();
        while (System.nanoTime() - start < (matches.isEmpty() ? TIME_MAX : TIME_WITH_MATCHES_MAX).toNanos()) {
            LogPart part = store.look(run, filter, left, Optional.of(search), look);
            for (LogChunk chunk : part.chunks()) {
                for (LineSearch.Match match : search.in(chunk, range.isNewestFirst())) {
                    if (begin.isBefore(match, range.isNewestFirst())) {
                        if (matches.size() == request.size()) {
                            LineSearch.Match last = matches.getLast();
                            SearchPlace place = new SearchPlace(last.chunk().position(), last.line());
                            return new Page(matches, PageRequest.token(place.text()), place.position());
                        }
                        matches.add(match);
                    }
                }
            }
            if (part.isEnd()) {
                return new Page(matches, "", searched);
            }
            searched = part.last();
            left = left.beyond(searched);
            look = next(part);
        }
        SearchPlace place = new SearchPlace(searched, SearchPlace.WHOLE);
        return new Page(matches, PageRequest.token(place.text()), searched);
    }

    /** The limits of the next look. The database sums up the lengths of all chunks within them before it compares any. */
    private static LogLook next(LogPart part) {
        return new LogLook(Math.clamp(2L * part.looked(), CHUNKS_MIN, CHUNKS_MAX), BYTES_MAX);
    }
}
