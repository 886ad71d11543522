package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static dev.millrace.scheduler.database.tables.Tables.RUN_ORIGIN;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;

/**
 * Runs in Postgres, read only.
 *
 * <p>A job whose id equals its run id is the run's root job; ids of steps identify no run. A run is looked up in the
 * live jobs first and in the history second. It moves only in that direction, so it cannot be missed.
 */
final class RunStore {
    /** Renamed, because jobs have a column of the same name. */
    private static final Field<String> ORIGIN_STEP = RUN_ORIGIN.STEP_KEY.as("origin_step");

    /** Fields by column, looked up once because each caller that waits for a run reads them. */
    private static final Map<KeptOptionColumn, Field<?>> OPTIONS = KeptOptionColumn.ALL.stream()
            .collect(Collectors.toMap(
                    column -> column,
                    column -> requireNonNull(RUN_OPTION.field(column.columnName())),
                    (one, _) -> one,
                    () -> new EnumMap<>(KeptOptionColumn.class)));

    private static final Param<Short> BUCKET = param("bucket", Short.class);
    private static final Param<UUID> ID = param("id", UUID.class);
    private static final Param<String> WORKSPACE = param("workspace", String.class);
    private static final Field<Boolean> IS_LIVE = field("is_live", SQLDataType.BOOLEAN);

    private static final FixedQuery FIND_LIVE = new FixedQuery(select(JOB_QUEUE.fields())
            .select(
                    RunRows.isBegun().as(RunRows.IS_BEGUN),
                    RunRows.firstStart(JOB_QUEUE.RUN_ID, JOB_QUEUE.CREATED_AT).as(RunRows.FIRST_START))
            .select(RUN_ORIGIN.ORIGIN_RUN_ID, RUN_ORIGIN.RELATION, ORIGIN_STEP)
            .select(RUN_OPTION.fields())
            .from(JOB_QUEUE)
            .leftJoin(RUN_ORIGIN)
            .on(RUN_ORIGIN.RUN_ID.eq(JOB_QUEUE.ID))
            .leftJoin(RUN_OPTION)
            .on(RUN_OPTION.RUN_ID.eq(JOB_QUEUE.ID))
            .where(JOB_QUEUE
                    .BUCKET
                    .eq(BUCKET)
                    .and(JOB_QUEUE.ID.eq(ID))
                    .and(JOB_QUEUE.ID.eq(JOB_QUEUE.RUN_ID))
                    .and(JOB_QUEUE.WORKSPACE.eq(WORKSPACE))));

    /** Selects only what callers see, because every caller that waits for a run executes it. */
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
            .select(RunRows.ENDED_FIRST_START)
            .select(RUN_ORIGIN.ORIGIN_RUN_ID, RUN_ORIGIN.RELATION, ORIGIN_STEP)
            .select(RUN_OPTION.fields())
            .from(JOB_HISTORY)
            .leftJoin(RUN_ORIGIN)
            .on(RUN_ORIGIN.RUN_ID.eq(JOB_HISTORY.ID))
            .leftJoin(RUN_OPTION)
            .on(RUN_OPTION.RUN_ID.eq(JOB_HISTORY.ID))
            .where(JOB_HISTORY
                    .BUCKET
                    .eq(BUCKET)
                    .and(JOB_HISTORY.ID.eq(ID))
                    .and(JOB_HISTORY.ID.eq(JOB_HISTORY.RUN_ID))
                    .and(JOB_HISTORY.WORKSPACE.eq(WORKSPACE))));

    /** One statement, so that a run that moves between queue and history is not missed. */
    private static final FixedQuery FIND_LIVENESS = new FixedQuery("""
            select true as is_live from job_queue where bucket = ? and id = ? and id = run_id and workspace = ?
            union all
            select false from job_history where bucket = ? and id = ? and id = run_id and workspace = ?
            """, IS_LIVE);

    /** One statement, for the same reason. */
    private static final FixedQuery FIND_NAME = new FixedQuery("""
            select name from job_queue where bucket = ? and id = ? and id = run_id and workspace = ?
            union all
            select name from job_history where bucket = ? and id = ? and id = run_id and workspace = ?
            """, JOB_QUEUE.NAME);

    /** Its joins, and those below, are as ADR 136 asks for. */
    private static final FixedQuery KNOWN_AMONG = new FixedQuery("""
            select q.id, q.workspace from unnest(?::smallint[], (?::text[])::uuid[], ?::text[]) as run (bucket, id, workspace)
            join job_queue q on q.bucket = run.bucket and q.id = any (array[run.id]) and q.id = q.run_id and q.workspace = run.workspace
            union all
            select h.id, h.workspace from unnest(?::smallint[], (?::text[])::uuid[], ?::text[]) as run (bucket, id, workspace)
            join job_history h on h.bucket = run.bucket and h.id = any (array[run.id]) and h.id = h.run_id and h.workspace = run.workspace
            """, JOB_QUEUE.ID, JOB_QUEUE.WORKSPACE);

    /** Planned once: a new plan for each call could read the whole history while that has only begun to grow. */
    private static final FixedQuery ENDED_AMONG = new FixedQuery("""
            select h.id from unnest(?::smallint[], (?::text[])::uuid[]) as run (bucket, id)
            join job_history h on h.bucket = run.bucket and h.id = any (array[run.id]) and h.id = h.run_id
            """, JOB_HISTORY.ID);

    private final Database database;

    RunStore(Database database) {
        this.database = database;
    }

    /** The run with its payloads. */
    Optional<Run> find(RunRef run) {
        return findLive(run)
                .or(() -> findEnded(run))
                // A retry moves a run back to the live jobs, which were read first.
                .or(() -> findLive(run));
    }

    /** The run with its payloads; takes one query if the run has ended. */
    Optional<Run> findLikelyEnded(RunRef run) {
        return findEnded(run).or(() -> find(run));
    }

    /** The workspace of the run; empty if the run is unknown. */
    Optional<Boolean> findLiveness(RunRef run) {
        short bucket = run.id().bucket().value();
        UUID id = run.id().value();
        String workspace = run.workspace().name();
        return database.fetch(FIND_LIVENESS, bucket, id, workspace, bucket, id, workspace).stream()
                .findFirst()
                .map(row -> row.get(IS_LIVE));
    }

    /** The name of the run; empty if there is no such run. */
    Optional<String> findName(RunRef run) {
        short bucket = run.id().bucket().value();
        UUID id = run.id().value();
        String workspace = run.workspace().name();
        return database.fetch(FIND_NAME, bucket, id, workspace, bucket, id, workspace).stream()
                .findFirst()
                .map(row -> row.get(JOB_QUEUE.NAME));
    }

    /** The candidates that exist. */
    Set<RunRef> knownAmong(List<RunRef> candidates) {
        Short[] buckets =
                candidates.stream().map(run -> run.id().bucket().value()).toArray(Short[]::new);
        String[] ids = candidates.stream().map(run -> run.id().toString()).toArray(String[]::new);
        String[] workspaces =
                candidates.stream().map(run -> run.workspace().name()).toArray(String[]::new);
        return Set.copyOf(database.fetch(KNOWN_AMONG, buckets, ids, workspaces, buckets, ids, workspaces)
                .map(row -> new RunRef(Workspace.of(row.get(JOB_QUEUE.WORKSPACE)), new RunId(row.get(JOB_QUEUE.ID)))));
    }

    /** The candidates that have ended. */
    List<RunId> endedAmong(List<RunId> candidates) {
        Short[] buckets = candidates.stream().map(run -> run.bucket().value()).toArray(Short[]::new);
        String[] ids = candidates.stream().map(RunId::toString).toArray(String[]::new);
        return database.fetch(ENDED_AMONG, buckets, ids).map(row -> new RunId(row.get(JOB_HISTORY.ID)));
    }

    private Optional<Run> findLive(RunRef run) {
        return fetch(FIND_LIVE, run)
                .map(row -> RunRows.live(row, new Payloads(JobRows.json(row.get(JOB_QUEUE.INPUT)), Optional.empty()))
                        .with(origin(row), options(row)));
    }

    private Optional<Run> findEnded(RunRef run) {
        return fetch(FIND_ENDED, run)
                .map(row -> RunRows.ended(
                                row,
                                new Payloads(
                                        JobRows.json(row.get(JOB_HISTORY.INPUT)),
                                        JobRows.json(row.get(JOB_HISTORY.RESULT))))
                        .with(origin(row), options(row)));
    }

    private Optional<Record> fetch(FixedQuery query, RunRef run) {
        return database
                .fetch(
                        query,
                        run.id().bucket().value(),
                        run.id().value(),
                        run.workspace().name())
                .stream()
                .findFirst();
    }

    private static Optional<RunOrigin> origin(Record row) {
        return Optional.ofNullable(row.get(RUN_ORIGIN.ORIGIN_RUN_ID))
                .map(other -> new RunOrigin(
                        new RunId(other), RunRelation.of(row.get(RUN_ORIGIN.RELATION)), row.get(ORIGIN_STEP)));
    }

    private static KeptOptions options(Record row) {
        return KeptOptionColumn.read(column -> {
            Object value = row.get(OPTIONS.get(column));
            return value == null ? null : value.toString();
        });
    }
}
