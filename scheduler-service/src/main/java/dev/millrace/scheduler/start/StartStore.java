package dev.millrace.scheduler.start;

import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.types.DayToSecond;

/** Finds pending runs. */
final class StartStore {
    private static final String NEXT_DUE = NamedCodes.expand("""
            select ceil(extract(epoch from min(run_after) - now()) * 1000)::bigint
            from job_queue where state = {JobState.TO_START} and not held and run_after > now()
            """);

    /** How long a run that was accepted undecided is left to the scheduler that has accepted it. */
    static final Duration OWN_RUNS_LEAD = Duration.ofSeconds(10);

    private final Database database;

    StartStore(Database database) {
        this.database = database;
    }

    /** Returns the time until the next pending run is due; empty if there is none. */
    Optional<Duration> nextDue() {
        return database.run(dsl -> Optional.ofNullable(dsl.fetchOne(NEXT_DUE))
                .map(row -> row.get(0, Long.class))
                .map(Duration::ofMillis));
    }

    /**
     * Whether any scheduler may begin the run. For a while, a run that was accepted undecided is left to the scheduler
     * that has accepted it, since evaluating its first decision twice would be a waste.
     */
    private static Condition isLeftToAll() {
        return JOB_QUEUE
                .TARGET
                .eq("")
                .or(JOB_QUEUE.LIMIT_KEY.isNotNull())
                .or(JOB_QUEUE.DEBOUNCE_KEY.isNotNull())
                .or(JOB_QUEUE.RUN_AFTER.isNotNull())
                .or(JOB_QUEUE.CREATED_AT.le(currentOffsetDateTime().minus(inline(DayToSecond.valueOf(OWN_RUNS_LEAD)))));
    }

    /**
     * Returns due runs after a given place, in the order in which they were accepted. Of the runs under one limit,
     * returns only the first in line.
     */
    List<RunToStart> find(long afterOrderKey, UUID afterId, int limit) {
        var earlier = JOB_QUEUE.as("earlier");
        Condition hasItsTime = earlier.RUN_AFTER.isNull().or(earlier.RUN_AFTER.le(currentOffsetDateTime()));
        Condition isFirst = notExists(selectOne()
                .from(earlier)
                .where(earlier.LIMIT_KEY.eq(JOB_QUEUE.LIMIT_KEY))
                .and(earlier.STATE.eq(inline(JobState.TO_START.code())))
                .and(earlier.HELD.isFalse())
                .and(hasItsTime)
                .and(row(earlier.ORDER_KEY, earlier.ID).lt(JOB_QUEUE.ORDER_KEY, JOB_QUEUE.ID)));
        return database.run(dsl -> dsl.select(JOB_QUEUE.fields())
                .select(RUN_OPTION.fields())
                .from(JOB_QUEUE)
                .leftJoin(RUN_OPTION)
                .on(RUN_OPTION.RUN_ID.eq(JOB_QUEUE.ID))
                .where(JOB_QUEUE.STATE.eq(inline(JobState.TO_START.code())).and(JOB_QUEUE.HELD.isFalse()))
                .and(JOB_QUEUE.RUN_AFTER.isNull().or(JOB_QUEUE.RUN_AFTER.le(currentOffsetDateTime())))
                .and(JOB_QUEUE.LIMIT_KEY.isNull().or(isFirst))
                .and(isLeftToAll())
                .and(row(JOB_QUEUE.ORDER_KEY, JOB_QUEUE.ID).gt(val(afterOrderKey), val(afterId)))
                .orderBy(JOB_QUEUE.ORDER_KEY, JOB_QUEUE.ID)
                .limit(limit)
                .fetch(found -> new RunToStart(
                        new RunId(found.get(JOB_QUEUE.ID)),
                        found.get(JOB_QUEUE.VERSION),
                        Workspace.of(found.get(JOB_QUEUE.WORKSPACE)),
                        found.get(JOB_QUEUE.NAME),
                        Optional.of(found.get(JOB_QUEUE.TARGET)).filter(hash -> !hash.isEmpty()),
                        new Json(found.get(JOB_QUEUE.INPUT).data()),
                        KeptOptionColumn.read(
                                column -> found.get(RUN_OPTION.field(column.columnName()), String.class)))));
    }
}
