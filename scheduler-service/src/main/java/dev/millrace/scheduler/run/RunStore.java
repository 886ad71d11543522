package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static dev.millrace.scheduler.database.tables.Tables.RUN_ORIGIN;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;

/**
 * Runs in Postgres, read only.
 *
 * <p>A job whose id equals its run id is the run's root job; ids of steps identify no run. A run is looked up in the
 * live jobs first and in the history second. It moves only in that direction, so it cannot be missed.
 */
final class RunStore {
    /** Renamed, because jobs have a column of the same name. */
    private static final Field<String> ORIGIN_STEP = RUN_ORIGIN.STEP_KEY.as("origin_step");

    private static final Param<Short> BUCKET = param("bucket", Short.class);
    private static final Param<UUID> ID = param("id", UUID.class);

    private static final FixedQuery FIND_LIVE = new FixedQuery(select(JOB_QUEUE.fields())
            .select(
                    RunRows.isBegun().as(RunRows.IS_BEGUN),
                    RunRows.firstStart(JOB_QUEUE.RUN_ID).as(RunRows.FIRST_START))
            .select(RUN_ORIGIN.ORIGIN_RUN_ID, RUN_ORIGIN.RELATION, ORIGIN_STEP)
            .select(RUN_OPTION.fields())
            .from(JOB_QUEUE)
            .leftJoin(RUN_ORIGIN)
            .on(RUN_ORIGIN.RUN_ID.eq(JOB_QUEUE.ID))
            .leftJoin(RUN_OPTION)
            .on(RUN_OPTION.RUN_ID.eq(JOB_QUEUE.ID))
            .where(JOB_QUEUE.BUCKET.eq(BUCKET).and(JOB_QUEUE.ID.eq(ID)).and(JOB_QUEUE.ID.eq(JOB_QUEUE.RUN_ID))));

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

    /** Planned once: a new plan for each call could read the whole history while that has only begun to grow. */
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
                // A retry moves a run back to the live jobs, which were read first.
                .or(() -> findLive(run));
    }

    /** The run with its payloads; takes one query if the run has ended. */
    Optional<Run> findLikelyEnded(RunId run) {
        return findEnded(run).or(() -> find(run));
    }

    /** The workspace of the run; empty if the run is unknown. */
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

    /** The workspaces of the runs; unknown runs are missing. */
    Map<RunId, String> workspaces(List<RunId> wanted) {
        Short[] buckets = wanted.stream().map(run -> run.bucket().value()).toArray(Short[]::new);
        String[] ids = wanted.stream().map(RunId::toString).toArray(String[]::new);
        Map<RunId, String> workspaces = new HashMap<>();
        database.fetch(WORKSPACES, buckets, ids, buckets, ids)
                .forEach(row -> workspaces.put(new RunId(row.get(JOB_QUEUE.ID)), row.get(JOB_QUEUE.WORKSPACE)));
        return workspaces;
    }

    /** Whether the run has not ended; empty if the run is unknown. */
    Optional<Boolean> findLiveness(RunId run) {
        return database.run(dsl -> isLive(dsl, run)
                ? Optional.of(true)
                : isEnded(dsl, run) ? Optional.of(false) : Optional.<Boolean>empty());
    }

    /** The candidates that have ended. */
    List<RunId> endedAmong(List<RunId> candidates) {
        Short[] buckets = candidates.stream().map(run -> run.bucket().value()).toArray(Short[]::new);
        String[] ids = candidates.stream().map(RunId::toString).toArray(String[]::new);
        return database.fetch(ENDED_AMONG, buckets, ids).map(row -> new RunId(row.get(JOB_HISTORY.ID)));
    }

    private Optional<Run> findLive(RunId run) {
        return database.fetch(FIND_LIVE, run.bucket().value(), run.value()).stream()
                .findFirst()
                .map(row -> RunRows.live(row, new Payloads(JobRows.json(row.get(JOB_QUEUE.INPUT)), Optional.empty()))
                        .with(origin(row), options(row)));
    }

    private Optional<Run> findEnded(RunId run) {
        return database.fetch(FIND_ENDED, run.bucket().value(), run.value()).stream()
                .findFirst()
                .map(row -> RunRows.ended(
                                row,
                                new Payloads(
                                        JobRows.json(row.get(JOB_HISTORY.INPUT)),
                                        JobRows.json(row.get(JOB_HISTORY.RESULT))))
                        .with(origin(row), options(row)));
    }

    private static Optional<RunOrigin> origin(Record row) {
        return Optional.ofNullable(row.get(RUN_ORIGIN.ORIGIN_RUN_ID))
                .map(other -> new RunOrigin(
                        new RunId(other), RunRelation.of(row.get(RUN_ORIGIN.RELATION)), row.get(ORIGIN_STEP)));
    }

    private static KeptOptions options(Record row) {
        return KeptOptionColumn.read(column -> row.get(RUN_OPTION.field(column.columnName()), String.class));
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
}
