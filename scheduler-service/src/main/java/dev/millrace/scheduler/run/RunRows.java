package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;

/** Reads runs from the rows of their root jobs, and provides the computed fields that such a query must select. */
public final class RunRows {
    public static final Field<Boolean> IS_BEGUN = field("is_begun", SQLDataType.BOOLEAN);
    public static final Field<OffsetDateTime> FIRST_START = field("first_start", SQLDataType.TIMESTAMPWITHTIMEZONE);

    /** First start of ended runs, as selected: the same object finds its value in a row without comparing names. */
    public static final Field<OffsetDateTime> ENDED_FIRST_START =
            firstStart(JOB_HISTORY.RUN_ID, JOB_HISTORY.CREATED_AT).as(FIRST_START);

    private RunRows() {}

    /** Whether a job of the run has ever been leased. */
    public static Condition isBegun() {
        var child = JOB_QUEUE.as("child");
        var done = JOB_HISTORY.as("done");
        Condition leasedNow = exists(selectOne()
                .from(child)
                .where(child.RUN_ID.eq(JOB_QUEUE.RUN_ID))
                .and(or(
                        child.STATE.eq(inline(JobState.LEASED.code())),
                        child.KIND.in(inline(JobKind.WAIT.code()), inline(JobKind.CHILD_RUN.code())))));
        Condition leasedBefore = exists(selectOne().from(done).where(done.RUN_ID.eq(JOB_QUEUE.RUN_ID)));
        return or(
                JOB_QUEUE.STATE.eq(inline(JobState.LEASED.code())),
                JOB_QUEUE.ATTEMPT.gt(inline(1)),
                JOB_QUEUE.STATE.eq(inline(JobState.FLOW_RUNNING.code())).and(or(leasedNow, leasedBefore)));
    }

    /**
     * Start of the job that ended first: about when the run began, without reading all its jobs. Jobs that the run has
     * taken over from an earlier run ended before it was created.
     */
    public static Field<OffsetDateTime> firstStart(Field<UUID> run, Field<OffsetDateTime> created) {
        var job = JOB_HISTORY.as("job");
        return field(select(job.STARTED_AT)
                .from(job)
                .where(job.RUN_ID
                        .eq(run)
                        .and(job.ENDED_AT.ge(created))
                        .and(job.STARTED_AT.isNotNull())
                        .and(job.ID.ne(run)))
                .orderBy(job.ENDED_AT)
                .limit(inline(1)));
    }

    public static Run live(Record row, Payloads payloads) {
        return new Run(
                new RunId(row.get(JOB_QUEUE.ID)),
                Workspace.of(row.get(JOB_QUEUE.WORKSPACE)),
                JobKind.ofCode(row.get(JOB_QUEUE.KIND)),
                row.get(JOB_QUEUE.TARGET),
                row.get(JOB_QUEUE.NAME),
                row.get(IS_BEGUN) ? RunState.RUNNING : RunState.QUEUED,
                row.get(JOB_QUEUE.HELD),
                waiting(row),
                Optional.empty(),
                payloads,
                Optional.empty(),
                JobRows.times(row.get(JOB_QUEUE.CREATED_AT), row.get(FIRST_START), null)
                        .startedSinceCreated(),
                false,
                KeptOptions.NONE);
    }

    private static String waiting(Record row) {
        if (row.get(JOB_QUEUE.STATE) != JobState.TO_START.code()) {
            return "";
        }
        if (row.get(JOB_QUEUE.DEBOUNCE_KEY) != null && row.get(JOB_QUEUE.LIMIT_KEY) == null) {
            return "The run waits until " + row.get(JOB_QUEUE.RUN_AFTER).toInstant()
                    + " for further submissions, which would replace its input.";
        }
        String limit = row.get(JOB_QUEUE.LIMIT_KEY);
        return limit == null
                ? "A scheduler is about to start the run."
                : "The run waits for its turn: the flow's limit for the concurrency key \""
                        + limit.substring(limit.indexOf(' ') + 1)
                        + "\" is used up by other runs that are in progress or started recently.";
    }

    public static Run ended(Record row, Payloads payloads) {
        OffsetDateTime firstStart = row.get(ENDED_FIRST_START);
        return new Run(
                new RunId(row.get(JOB_HISTORY.ID)),
                Workspace.of(row.get(JOB_HISTORY.WORKSPACE)),
                JobKind.ofCode(row.get(JOB_HISTORY.KIND)),
                row.get(JOB_HISTORY.TARGET),
                row.get(JOB_HISTORY.NAME),
                RunState.ended(EndStatus.ofCode(row.get(JOB_HISTORY.STATUS))),
                false,
                "",
                Optional.empty(),
                payloads,
                JobRows.error(row),
                JobRows.times(
                                row.get(JOB_HISTORY.CREATED_AT),
                                firstStart == null ? row.get(JOB_HISTORY.STARTED_AT) : firstStart,
                                row.get(JOB_HISTORY.ENDED_AT))
                        .startedSinceCreated(),
                row.get(JOB_HISTORY.FROM_CACHE),
                KeptOptions.NONE);
    }
}
