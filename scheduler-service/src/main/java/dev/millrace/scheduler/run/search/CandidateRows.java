package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Cursor;
import org.jooq.JSON;
import org.jooq.Record4;
import org.jooq.Select;
import org.jspecify.annotations.Nullable;

/**
 * Runs with what a search reads of them, newest first, fetched a few at a time. Must be used within a transaction,
 * as cursors require one.
 */
final class CandidateRows implements AutoCloseable {
    /** Few, because payloads may be large. */
    private static final int ROWS_A_FETCH = 16;

    private final Optional<Cursor<Record4<UUID, JSON, JSON, Boolean>>> rows;
    private @Nullable Record4<UUID, JSON, JSON, Boolean> head;

    private CandidateRows(Optional<Cursor<Record4<UUID, JSON, JSON, Boolean>>> rows) {
        this.rows = rows;
        advance();
    }

    /** Rows of a query for ids, inputs, outputs, and whether the run matches otherwise; empty without a query. */
    static CandidateRows of(Optional<Select<Record4<UUID, JSON, JSON, Boolean>>> query) {
        return new CandidateRows(
                query.map(select -> select.fetchSize(ROWS_A_FETCH).fetchLazy()));
    }

    boolean hasNext() {
        return head != null;
    }

    /** Whether the next run of this object is the newer one. */
    boolean isAheadOf(CandidateRows other) {
        return hasNext()
                && (!other.hasNext() || run().value().compareTo(other.run().value()) >= 0);
    }

    RunId run() {
        return new RunId(next().value1());
    }

    boolean fits(RunSearch search) {
        return Boolean.TRUE.equals(next().value4())
                && holds(search.input(), next().value2())
                && holds(search.output(), next().value3());
    }

    void advance() {
        head = rows.map(Cursor::fetchNext).orElse(null);
    }

    @Override
    public void close() {
        rows.ifPresent(Cursor::close);
    }

    /** A payload that is missing or erased meets no condition. */
    private static boolean holds(List<PayloadCondition> conditions, @Nullable JSON payload) {
        return conditions.isEmpty()
                || (payload != null && conditions.stream().allMatch(condition -> condition.holdsFor(payload.data())));
    }

    private Record4<UUID, JSON, JSON, Boolean> next() {
        if (head == null) {
            throw new IllegalStateException("There is no next run.");
        }
        return head;
    }
}
