package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.run.RunRows;
import dev.millrace.scheduler.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Counts runs, at a cost that has two bounds: it stops after {@link RunCount#RUNS_MAX} runs, and after a time, because a
 * filter that few runs fit may have to look at many. It reads the indexes of the list in their order, as the list does.
 */
final class RunCountStore {
    private static final Duration TIME_MAX = Duration.ofMillis(500);
    private static final String CANCELED_STATEMENT = "57014";

    private final Database database;

    RunCountStore(Database database) {
        this.database = database;
    }

    /** The number of runs of a workspace that match apart from their payloads; empty if counting takes too long. */
    Optional<RunCount> count(Workspace workspace, RunSearch search) {
        return database.tryTransaction(dsl -> {
            try {
                dsl.execute("set local statement_timeout = " + TIME_MAX.toMillis());
                int ended = countEnded(dsl, workspace, search);
                int live = ended > RunCount.RUNS_MAX ? 0 : countLive(dsl, workspace, search);
                return Optional.of(RunCount.of(ended + live));
            } catch (DataAccessException failure) {
                if (CANCELED_STATEMENT.equals(failure.sqlState())) {
                    return Optional.empty();
                }
                throw failure;
            }
        });
    }

    private static int countEnded(DSLContext dsl, Workspace workspace, RunSearch search) {
        List<Short> ends = search.ends();
        return ends.isEmpty()
                ? 0
                : dsl.fetchCount(selectOne()
                        .from(JOB_HISTORY)
                        .where(JOB_HISTORY.WORKSPACE.eq(workspace.name()).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                        .and(RunListStore.endedAs(ends))
                        .and(RunListStore.fits(
                                search, JOB_HISTORY.KIND, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID))
                        .orderBy(JOB_HISTORY.ID.desc())
                        .limit(RunCount.RUNS_MAX + 1));
    }

    private static int countLive(DSLContext dsl, Workspace workspace, RunSearch search) {
        Set<RunState> states = search.states();
        Condition begun = RunRows.isBegun();
        return !search.findsLiveRuns()
                ? 0
                : dsl.fetchCount(selectOne()
                        .from(JOB_QUEUE)
                        .where(JOB_QUEUE.WORKSPACE.eq(workspace.name()).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                        .and(states.contains(RunState.RUNNING) ? noCondition() : begun.not())
                        .and(states.contains(RunState.QUEUED) ? noCondition() : begun)
                        .and(RunListStore.fits(
                                search, JOB_QUEUE.KIND, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID))
                        .limit(RunCount.RUNS_MAX + 1));
    }
}
