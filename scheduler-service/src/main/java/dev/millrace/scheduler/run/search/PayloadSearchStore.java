package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.when;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Name;
import org.jooq.Record3;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * Looks into inputs and outputs of runs, newest first. Payloads are kept as they were given, and Postgres cannot look into each of them (not
 * into one with {@code \}{@code u0000} or half a surrogate pair inside): they are read here. What a page costs is bounded by the number of runs
 * looked at, whether they fit or not, and by time; it says where it stopped.
 */
final class PayloadSearchStore {
    /** Runs looked at for one page, of any name and state. */
    static final int RUNS_LOOKED_AT_MAX = 10_000;

    /** After this time a page ends with what it has. */
    private static final Duration TIME_MAX = Duration.ofSeconds(2);

    private static final Field<JSON> NOT_NEEDED = inline((JSON) null, SQLDataType.JSON);

    private static final Name LOOKED = name("looked");
    private static final Field<Short> LOOKED_BUCKET = field(LOOKED.append("bucket"), Short.class);
    private static final Field<UUID> LOOKED_ID = field(LOOKED.append("id"), UUID.class);

    private final Database database;

    PayloadSearchStore(Database database) {
        this.database = database;
    }

    /**
     * Runs whose payloads fit.
     *
     * @param stoppedAt the last one looked at; empty where there are no more
     */
    record Looked(List<RunId> found, Optional<RunId> stoppedAt) {
        Looked {
            requireNonNull(stoppedAt, "stoppedAt");
            found = List.copyOf(found);
        }
    }

    /** Up to {@code countMax} runs before one. A queued run may turn out to be running, and the reverse: states of live runs are not compared. */
    Looked look(String workspace, RunSearch search, Optional<RunId> before, int countMax) {
        return database.transaction(dsl -> {
            // As runs move from the queue into the history, the queue is read first: none can be missed in between.
            try (CandidateRows live = CandidateRows.of(live(dsl, workspace, search, before));
                    CandidateRows ended = CandidateRows.of(ended(dsl, workspace, search, before))) {
                return look(live, ended, search, countMax);
            }
        });
    }

    private static Looked look(CandidateRows live, CandidateRows ended, RunSearch search, int countMax) {
        Set<RunId> found = new LinkedHashSet<>();
        long start = System.nanoTime();
        for (int count = 1; live.hasNext() || ended.hasNext(); count++) {
            CandidateRows next = live.isAheadOf(ended) ? live : ended;
            RunId run = next.run();
            if (next.fits(search)) {
                found.add(run);
            }
            next.advance();
            if (found.size() == countMax
                    || count == RUNS_LOOKED_AT_MAX
                    || System.nanoTime() - start > TIME_MAX.toNanos()) {
                return new Looked(List.copyOf(found), Optional.of(run));
            }
        }
        return new Looked(List.copyOf(found), Optional.empty());
    }

    /** Ids first, as payloads are too large to sort by the thousand. */
    private static Optional<Select<Record3<UUID, JSON, JSON>>> live(
            DSLContext dsl, String workspace, RunSearch search, Optional<RunId> before) {
        if (!search.findsLiveRuns() || !search.output().isEmpty()) {
            return Optional.empty();
        }
        var looked = select(JOB_QUEUE.BUCKET, JOB_QUEUE.ID)
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(within(search, before, JOB_QUEUE.ID))
                .orderBy(JOB_QUEUE.ID.desc())
                .limit(RUNS_LOOKED_AT_MAX)
                .asTable(LOOKED);
        Condition isWanted = RunListStore.fits(search, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID);
        Field<JSON> input = field(select(when(isWanted, JOB_QUEUE.INPUT))
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.BUCKET.eq(LOOKED_BUCKET).and(JOB_QUEUE.ID.eq(LOOKED_ID))));
        return Optional.of(dsl.select(LOOKED_ID, input, NOT_NEEDED).from(looked).orderBy(LOOKED_ID.desc()));
    }

    static Optional<Select<Record3<UUID, JSON, JSON>>> ended(
            DSLContext dsl, String workspace, RunSearch search, Optional<RunId> before) {
        if (search.ends().isEmpty()) {
            return Optional.empty();
        }
        Condition isWanted = JOB_HISTORY
                .STATUS
                .in(search.ends())
                .and(RunListStore.fits(search, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID));
        return Optional.of(dsl.select(
                        JOB_HISTORY.ID,
                        search.input().isEmpty() ? NOT_NEEDED : when(isWanted, JOB_HISTORY.INPUT),
                        search.output().isEmpty() ? NOT_NEEDED : when(isWanted, JOB_HISTORY.RESULT))
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.WORKSPACE.eq(workspace).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                .and(within(search, before, JOB_HISTORY.ID))
                .orderBy(JOB_HISTORY.ID.desc())
                .limit(RUNS_LOOKED_AT_MAX));
    }

    private static Condition within(RunSearch search, Optional<RunId> before, Field<UUID> id) {
        return RunListStore.before(id, before)
                .and(RunSelectionStore.isNear(search.createdFrom(), search.createdBefore(), id));
    }
}
