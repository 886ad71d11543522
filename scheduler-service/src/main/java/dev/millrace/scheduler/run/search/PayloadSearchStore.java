package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.when;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Name;
import org.jooq.Record4;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;

/**
 * Searches inputs, outputs, tags and starters of runs, newest first.
 *
 * <p>Payloads are stored as given, and Postgres cannot search some of them, for example with {@code \}{@code u0000} or
 * half a surrogate pair inside. So this class reads and compares them. No index has the tags, because each job would pay for
 * it; so the jobs of each run are looked up. The number of runs examined, matching or not,
 * and the time bound the cost of a page. The page says where its search stopped.
 */
final class PayloadSearchStore {
    /** Maximum number of runs examined for one page, whatever their name and state. */
    static final int RUNS_LOOKED_AT_MAX = 10_000;

    /** Time after which a page ends with the runs found so far. */
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
     * Result of a search.
     *
     * @param stoppedAt the last run examined; empty if there are no more
     */
    record Looked(List<RunId> found, Optional<RunId> stoppedAt) {
        Looked {
            requireNonNull(stoppedAt, "stoppedAt");
            found = List.copyOf(found);
        }
    }

    /**
     * Finds up to {@code countMax} runs before {@code before}. Does not tell queued from running runs, because a queued
     * run may turn out to be running, and the reverse.
     */
    Looked look(Workspace workspace, RunSearch search, Optional<RunId> before, int countMax) {
        return database.transaction(dsl -> {
            // Runs move from the queue into the history, so reading the queue first misses none.
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

    /** Selects ids first, because payloads are too large to sort thousands of them. */
    private static Optional<Select<Record4<UUID, JSON, JSON, Boolean>>> live(
            DSLContext dsl, Workspace workspace, RunSearch search, Optional<RunId> before) {
        if (!search.findsLiveRuns() || !search.output().isEmpty()) {
            return Optional.empty();
        }
        var looked = select(JOB_QUEUE.BUCKET, JOB_QUEUE.ID)
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace.name()).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(within(search, before, JOB_QUEUE.ID))
                .orderBy(JOB_QUEUE.ID.desc())
                .limit(RUNS_LOOKED_AT_MAX)
                .asTable(LOOKED);
        Condition isIt = JOB_QUEUE.BUCKET.eq(LOOKED_BUCKET).and(JOB_QUEUE.ID.eq(LOOKED_ID));
        Condition isWanted =
                RunListStore.fits(search, JOB_QUEUE.KIND, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID);
        Field<JSON> input =
                field(select(when(isWanted, JOB_QUEUE.INPUT)).from(JOB_QUEUE).where(isIt));
        Field<Boolean> isMatch = examined(
                        search, JOB_QUEUE.ID, tag -> RunTagRows.liveRunHas(JOB_QUEUE.ID, workspace, tag))
                .map(condition -> field(exists(
                        selectOne().from(JOB_QUEUE).where(isIt.and(isWanted).and(condition)))))
                .orElse(inline(true));
        return Optional.of(
                dsl.select(LOOKED_ID, input, NOT_NEEDED, isMatch).from(looked).orderBy(LOOKED_ID.desc()));
    }

    static Optional<Select<Record4<UUID, JSON, JSON, Boolean>>> ended(
            DSLContext dsl, Workspace workspace, RunSearch search, Optional<RunId> before) {
        if (search.ends().isEmpty()) {
            return Optional.empty();
        }
        Condition isWanted = JOB_HISTORY
                .STATUS
                .in(search.ends())
                .and(RunListStore.fits(
                        search, JOB_HISTORY.KIND, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID));
        return Optional.of(dsl.select(
                        JOB_HISTORY.ID,
                        search.input().isEmpty() ? NOT_NEEDED : when(isWanted, JOB_HISTORY.INPUT),
                        search.output().isEmpty() ? NOT_NEEDED : when(isWanted, JOB_HISTORY.RESULT),
                        examined(search, JOB_HISTORY.ID, tag -> RunTagRows.endedRunHas(JOB_HISTORY.ID, workspace, tag))
                                .map(condition -> field(isWanted.and(condition)))
                                .orElse(inline(true)))
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.WORKSPACE.eq(workspace.name()).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                .and(within(search, before, JOB_HISTORY.ID))
                .orderBy(JOB_HISTORY.ID.desc())
                .limit(RUNS_LOOKED_AT_MAX));
    }

    /** What is looked up for each run besides its payloads; empty for nothing. */
    private static Optional<Condition> examined(RunSearch search, Field<UUID> run, Function<String, Condition> hasTag) {
        Optional<Condition> tagged = search.tag().map(hasTag);
        Optional<Condition> started = search.startedBy().map(starter -> RunStarterRows.isStartedBy(run, starter));
        return Stream.concat(started.stream(), tagged.stream()).reduce(Condition::and);
    }

    private static Condition within(RunSearch search, Optional<RunId> before, Field<UUID> id) {
        return RunListStore.before(id, before)
                .and(RunSelectionStore.isNear(search.createdFrom(), search.createdBefore(), id));
    }
}
