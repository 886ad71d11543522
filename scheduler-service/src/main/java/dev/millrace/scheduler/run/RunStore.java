package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static dev.millrace.scheduler.database.tables.Tables.RUN_ORIGIN;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.SelectField;
import org.jooq.impl.SQLDataType;

/**
 * Runs in Postgres, read only. A job whose id is that of its run is the run itself; the ids of steps name no run. A run is looked for among the live jobs first and in the history second: it moves in that direction
 * only, so that it cannot be missed in between.
 */
final class RunStore {
    private static final List<Param<Short>> WAIT_KINDS = Arrays.stream(JobKind.values())
            .filter(JobKind::isWait)
            .map(kind -> inline(kind.code()))
            .toList();
    private static final Field<Boolean> IS_BEGUN = field("is_begun", SQLDataType.BOOLEAN);
    private static final Field<OffsetDateTime> FIRST_START = field("first_start", SQLDataType.TIMESTAMPWITHTIMEZONE);

    /** The same of runs that have ended; as it is selected, which is how it is found in a row without comparing names. */
    private static final Field<OffsetDateTime> ENDED_FIRST_START =
            firstStart(JOB_HISTORY.RUN_ID).as(FIRST_START);

    /** Jobs have a column of the same name. */
    private static final Field<String> ORIGIN_STEP = RUN_ORIGIN.STEP_KEY.as("origin_step");

    private static final Param<Short> BUCKET = param("bucket", Short.class);
    private static final Param<UUID> ID = param("id", UUID.class);

    private static final FixedQuery FIND_LIVE = new FixedQuery(select(JOB_QUEUE.fields())
            .select(isBegun().as(IS_BEGUN), firstStart(JOB_QUEUE.RUN_ID).as(FIRST_START))
            .select(RUN_ORIGIN.ORIGIN_RUN_ID, RUN_ORIGIN.RELATION, ORIGIN_STEP, RUN_OPTION.ENV)
            .from(JOB_QUEUE)
            .leftJoin(RUN_ORIGIN)
            .on(RUN_ORIGIN.RUN_ID.eq(JOB_QUEUE.ID))
            .leftJoin(RUN_OPTION)
            .on(RUN_OPTION.RUN_ID.eq(JOB_QUEUE.ID))
            .where(JOB_QUEUE.BUCKET.eq(BUCKET).and(JOB_QUEUE.ID.eq(ID)).and(JOB_QUEUE.ID.eq(JOB_QUEUE.RUN_ID))));

    /** Each caller that waits for a run needs it: it reads only what is told. */
    private static final FixedQuery FIND_ENDED = new FixedQuery(select(
                    JOB_HISTORY.ID,
                    JOB_HISTORY.WORKSPACE,
                    JOB_HISTORY.KIND,
                    JOB_HISTORY.TARGET,
                    JOB_HISTORY.NAME,
                    JOB_HISTORY.STATUS,
                    JOB_HISTORY.INPUT,
                    JOB_HISTORY.RESULT,
                    JOB_HISTORY.ERROR_NAME,
                    JOB_HISTORY.ERROR_MESSAGE,
                    JOB_HISTORY.ERROR_STACK,
                    JOB_HISTORY.CREATED_AT,
                    JOB_HISTORY.STARTED_AT,
                    JOB_HISTORY.ENDED_AT,
                    JOB_HISTORY.FROM_CACHE)
            .select(ENDED_FIRST_START)
            .select(RUN_ORIGIN.ORIGIN_RUN_ID, RUN_ORIGIN.RELATION, ORIGIN_STEP, RUN_OPTION.ENV)
            .from(JOB_HISTORY)
            .leftJoin(RUN_ORIGIN)
            .on(RUN_ORIGIN.RUN_ID.eq(JOB_HISTORY.ID))
            .leftJoin(RUN_OPTION)
            .on(RUN_OPTION.RUN_ID.eq(JOB_HISTORY.ID))
            .where(JOB_HISTORY
                    .BUCKET
                    .eq(BUCKET)
                    .and(JOB_HISTORY.ID.eq(ID))
                    .and(JOB_HISTORY.ID.eq(JOB_HISTORY.RUN_ID))));

    private static final FixedQuery FIND_WORKSPACE = new FixedQuery("""
            select workspace from job_queue where bucket = ? and id = ? and id = run_id
            union all select workspace from job_history where bucket = ? and id = ? and id = run_id
            """, JOB_QUEUE.WORKSPACE);

    private static final FixedQuery WORKSPACES = new FixedQuery("""
            select q.id, q.workspace from unnest(?::smallint[], (?::text[])::uuid[]) as run (bucket, id)
            join job_queue q on q.bucket = run.bucket and q.id = run.id and q.id = q.run_id
            union all
            select h.id, h.workspace from unnest(?::smallint[], (?::text[])::uuid[]) as run (bucket, id)
            join job_history h on h.bucket = run.bucket and h.id = run.id and h.id = h.run_id
            """, JOB_QUEUE.ID, JOB_QUEUE.WORKSPACE);

    /** Planned anew each time, it would read the whole history where that has just begun to grow. */
    private static final FixedQuery ENDED_AMONG = new FixedQuery("""
            select h.id from unnest(?::smallint[], (?::text[])::uuid[]) as run (bucket, id)
            join job_history h on h.bucket = run.bucket and h.id = run.id and h.id = h.run_id
            """, JOB_HISTORY.ID);

    private final Database database;

    RunStore(Database database) {
        this.database = database;
    }

    /** The run with its payloads. */
    Optional<Run> find(RunId run) {
        return findLive(run)
                .or(() -> findEnded(run))
                // A run that is retried goes back to where it was looked for first.
                .or(() -> findLive(run));
    }

    /** The run, which has probably ended, with its payloads. */
    Optional<Run> findLikelyEnded(RunId run) {
        return findEnded(run).or(() -> find(run));
    }

    /** The workspace of the run; empty where it is unknown. */
    Optional<String> findWorkspace(RunId run) {
        return database
                .fetch(
                        FIND_WORKSPACE,
                        run.bucket().value(),
                        run.value(),
                        run.bucket().value(),
                        run.value())
                .stream()
                .findFirst()
                .map(row -> row.get(JOB_QUEUE.WORKSPACE));
    }

    /** The workspaces of those of the runs that there are. */
    Map<RunId, String> workspaces(List<RunId> wanted) {
        Short[] buckets = wanted.stream().map(run -> run.bucket().value()).toArray(Short[]::new);
        String[] ids = wanted.stream().map(RunId::toString).toArray(String[]::new);
        Map<RunId, String> workspaces = new HashMap<>();
        database.fetch(WORKSPACES, buckets, ids, buckets, ids)
                .forEach(row -> workspaces.put(new RunId(row.get(JOB_QUEUE.ID)), row.get(JOB_QUEUE.WORKSPACE)));
        return workspaces;
    }

    /** Whether the run has not ended; empty where it is unknown. */
    Optional<Boolean> findLiveness(RunId run) {
        return database.run(dsl -> isLive(dsl, run)
                ? Optional.of(true)
                : isEnded(dsl, run) ? Optional.of(false) : Optional.<Boolean>empty());
    }

    /** Those of the runs that have ended. */
    List<RunId> endedAmong(List<RunId> candidates) {
        Short[] buckets = candidates.stream().map(run -> run.bucket().value()).toArray(Short[]::new);
        String[] ids = candidates.stream().map(RunId::toString).toArray(String[]::new);
        return database.fetch(ENDED_AMONG, buckets, ids).map(row -> new RunId(row.get(JOB_HISTORY.ID)));
    }

    /** Runs of a workspace that are looked for, newest first, without payloads. */
    List<Run> list(String workspace, RunSearch search, Optional<RunId> before, int limit) {
        return list(workspace, search, before(JOB_QUEUE.ID, before), before(JOB_HISTORY.ID, before), limit);
    }

    /** Those of the runs that are looked for, whatever their payloads, newest first, without payloads. */
    List<Run> listThese(String workspace, RunSearch search, List<RunId> runs) {
        return list(
                workspace,
                search,
                isAmong(runs, JOB_QUEUE.BUCKET, JOB_QUEUE.ID),
                isAmong(runs, JOB_HISTORY.BUCKET, JOB_HISTORY.ID),
                runs.size());
    }

    private List<Run> list(String workspace, RunSearch search, Condition amongLive, Condition amongEnded, int limit) {
        Stream<Run> live = search.findsLiveRuns() && search.output().isEmpty()
                ? listLive(workspace, search, amongLive, limit).stream()
                : Stream.empty();
        List<Short> ends = search.ends();
        Stream<Run> ended =
                ends.isEmpty() ? Stream.empty() : listEnded(workspace, search, ends, amongEnded, limit).stream();
        return Stream.concat(live, ended)
                .collect(java.util.stream.Collectors.toMap(Run::id, run -> run, (_, later) -> later))
                .values()
                .stream()
                .sorted(Comparator.comparing((Run run) -> run.id().rootJob()).reversed())
                .limit(limit)
                .toList();
    }

    private Optional<Run> findLive(RunId run) {
        return database.fetch(FIND_LIVE, run.bucket().value(), run.value()).stream()
                .findFirst()
                .map(row -> live(row, new Payloads(json(row.get(JOB_QUEUE.INPUT)), Optional.empty()))
                        .with(origin(row), json(row.get(RUN_OPTION.ENV))));
    }

    private Optional<Run> findEnded(RunId run) {
        return database.fetch(FIND_ENDED, run.bucket().value(), run.value()).stream()
                .findFirst()
                .map(row -> ended(
                                row, new Payloads(json(row.get(JOB_HISTORY.INPUT)), json(row.get(JOB_HISTORY.RESULT))))
                        .with(origin(row), json(row.get(RUN_OPTION.ENV))));
    }

    private static Optional<RunOrigin> origin(Record row) {
        return Optional.ofNullable(row.get(RUN_ORIGIN.ORIGIN_RUN_ID))
                .map(other -> new RunOrigin(new RunId(other), row.get(RUN_ORIGIN.RELATION), row.get(ORIGIN_STEP)));
    }

    private static boolean isLive(DSLContext dsl, RunId run) {
        return dsl.fetchExists(
                JOB_QUEUE,
                JOB_QUEUE
                        .BUCKET
                        .eq(run.bucket().value())
                        .and(JOB_QUEUE.ID.eq(run.value()))
                        .and(JOB_QUEUE.ID.eq(JOB_QUEUE.RUN_ID)));
    }

    private static boolean isEnded(DSLContext dsl, RunId run) {
        return dsl.fetchExists(
                JOB_HISTORY,
                JOB_HISTORY
                        .BUCKET
                        .eq(run.bucket().value())
                        .and(JOB_HISTORY.ID.eq(run.value()))
                        .and(JOB_HISTORY.ID.eq(JOB_HISTORY.RUN_ID)));
    }

    private List<Run> listLive(String workspace, RunSearch search, Condition among, int limit) {
        Set<RunState> states = search.states();
        Condition begun = isBegun();
        return database.run(dsl -> dsl.select(without(JOB_QUEUE.fields(), JOB_QUEUE.INPUT))
                .select(begun.as(IS_BEGUN), firstStart(JOB_QUEUE.RUN_ID).as(FIRST_START))
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(states.contains(RunState.RUNNING) ? inline(true).isTrue() : begun.not())
                .and(states.contains(RunState.QUEUED) ? inline(true).isTrue() : begun)
                .and(fits(search, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID))
                .and(among)
                .orderBy(JOB_QUEUE.ID.desc())
                .limit(limit)
                .fetch(row -> live(row, Payloads.NONE)));
    }

    private List<Run> listEnded(String workspace, RunSearch search, List<Short> ends, Condition among, int limit) {
        return database.run(dsl -> dsl.select(without(JOB_HISTORY.fields(), JOB_HISTORY.INPUT, JOB_HISTORY.RESULT))
                .select(ENDED_FIRST_START)
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.WORKSPACE.eq(workspace).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                .and(JOB_HISTORY.STATUS.in(ends))
                .and(fits(search, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID))
                .and(among)
                .orderBy(JOB_HISTORY.ID.desc())
                .limit(limit)
                .fetch(row -> ended(row, Payloads.NONE)));
    }

    /** Whether a part of the run has been leased, now or earlier. */
    static Condition isBegun() {
        var child = JOB_QUEUE.as("child");
        var done = JOB_HISTORY.as("done");
        Condition leasedNow = exists(selectOne()
                .from(child)
                .where(child.RUN_ID.eq(JOB_QUEUE.RUN_ID))
                .and(or(child.STATE.eq(inline(JobState.LEASED.code())), child.KIND.in(WAIT_KINDS))));
        Condition leasedBefore = exists(selectOne().from(done).where(done.RUN_ID.eq(JOB_QUEUE.RUN_ID)));
        return or(
                JOB_QUEUE.STATE.eq(inline(JobState.LEASED.code())),
                JOB_QUEUE.ATTEMPT.gt(inline(1)),
                JOB_QUEUE.STATE.eq(inline(JobState.FLOW_RUNNING.code())).and(or(leasedNow, leasedBefore)));
    }

    /** When the job of the run that ended first began: about when the run began, without reading all its jobs. */
    private static Field<OffsetDateTime> firstStart(Field<UUID> run) {
        var job = JOB_HISTORY.as("job");
        return field(select(job.STARTED_AT)
                .from(job)
                .where(job.RUN_ID.eq(run).and(job.STARTED_AT.isNotNull()).and(job.ID.ne(run)))
                .orderBy(job.ENDED_AT)
                .limit(inline(1)));
    }

    private static Condition isAmong(List<RunId> runs, Field<Short> bucket, Field<UUID> id) {
        return row(bucket, id)
                .in(runs.stream()
                        .map(run -> row(run.bucket().value(), run.value()))
                        .toList());
    }

    static Condition fits(RunSearch search, Field<String> name, Field<OffsetDateTime> created, Field<UUID> id) {
        return search.name()
                .map(name::eq)
                .orElse(noCondition())
                .and(RunSelectionStore.inTime(search.createdFrom(), search.createdBefore(), created, id));
    }

    static Condition before(Field<UUID> id, Optional<RunId> before) {
        return before.map(run -> id.lt(run.value())).orElse(inline(true).isTrue());
    }

    private static Run live(Record row, Payloads payloads) {
        return new Run(
                new RunId(row.get(JOB_QUEUE.ID)),
                row.get(JOB_QUEUE.WORKSPACE),
                JobKind.ofCode(row.get(JOB_QUEUE.KIND)),
                row.get(JOB_QUEUE.TARGET),
                row.get(JOB_QUEUE.NAME),
                row.get(IS_BEGUN) ? RunState.RUNNING : RunState.QUEUED,
                row.get(JOB_QUEUE.HELD),
                waiting(row),
                Optional.empty(),
                payloads,
                Optional.empty(),
                StepRows.times(row.get(JOB_QUEUE.CREATED_AT), row.get(FIRST_START), null),
                false,
                Optional.empty());
    }

    private static String waiting(Record row) {
        if (row.get(JOB_QUEUE.STATE) != JobState.TO_START.code()) {
            return "";
        }
        if (row.get(JOB_QUEUE.DEBOUNCE_KEY) != null && row.get(JOB_QUEUE.LIMIT_KEY) == null) {
            return "It waits until " + row.get(JOB_QUEUE.RUN_AFTER).toInstant()
                    + " for further submissions, which would replace its input.";
        }
        String limit = row.get(JOB_QUEUE.LIMIT_KEY);
        return limit == null
                ? "A scheduler is about to start it."
                : "It waits for its turn: as many runs with the concurrency key \""
                        + limit.substring(limit.indexOf(' ') + 1)
                        + "\" go on, or have begun of late, as the flow allows.";
    }

    private static Run ended(Record row, Payloads payloads) {
        OffsetDateTime firstStart = row.get(ENDED_FIRST_START);
        return new Run(
                new RunId(row.get(JOB_HISTORY.ID)),
                row.get(JOB_HISTORY.WORKSPACE),
                JobKind.ofCode(row.get(JOB_HISTORY.KIND)),
                row.get(JOB_HISTORY.TARGET),
                row.get(JOB_HISTORY.NAME),
                RunState.ended(EndStatus.ofCode(row.get(JOB_HISTORY.STATUS))),
                false,
                "",
                Optional.empty(),
                payloads,
                StepRows.error(row),
                StepRows.times(
                        row.get(JOB_HISTORY.CREATED_AT),
                        firstStart == null ? row.get(JOB_HISTORY.STARTED_AT) : firstStart,
                        row.get(JOB_HISTORY.ENDED_AT)),
                row.get(JOB_HISTORY.FROM_CACHE),
                Optional.empty());
    }

    private static Optional<dev.millrace.scheduler.queue.core.Json> json(JSON stored) {
        return StepRows.json(stored);
    }

    private static List<? extends SelectField<?>> without(Field<?>[] fields, Field<?>... dropped) {
        List<Field<?>> heavy = List.of(dropped);
        return Stream.of(fields).filter(field -> !heavy.contains(field)).toList();
    }
}
