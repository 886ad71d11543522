package dev.millrace.scheduler.run.step;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.WORKER_SESSION;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.IdTimes;
import dev.millrace.scheduler.run.JobRows;
import dev.millrace.scheduler.run.Payloads;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectOnConditionStep;

/** The steps of runs in Postgres, read only. */
final class StepStore {
    private static final List<Param<Short>> CONTAINER_KINDS = Arrays.stream(JobKind.values())
            .filter(JobKind::isContainer)
            .map(kind -> inline(kind.code()))
            .toList();
    private static final Condition IS_CONTAINER = JOB_HISTORY.KIND.in(CONTAINER_KINDS);
    /** Suffix of the key of a reset that reopens a container. */
    private static final String REOPENING = "#reopen";

    /** Excludes the time limits of containers, and what a pause holds back. */
    private static final Condition IS_LISTED = JOB_QUEUE
            .STEP_KEY
            .notLike(inline("%#limit"))
            .and(JOB_QUEUE.STEP_KEY.notLike(inline("%#hold")))
            .and(JOB_QUEUE.STEP_KEY.notLike(inline("%#held")));

    private static final Condition IS_OPENING =
            IS_CONTAINER.and(JOB_HISTORY.STEP_KEY.like(inline("%" + StepRows.OPENING)));
    /**
     * Records for the engine alone: early ends, waits before a step, resets, and the ends of iterations and branches.
     */
    private static final Condition IS_NOTE = JOB_HISTORY
            .STEP_KEY
            .like(inline("_%#%"))
            .andNot(JOB_HISTORY.STEP_KEY.like(inline("%" + StepRows.OPENING)))
            .or(IS_CONTAINER.and(JOB_HISTORY.STEP_KEY.like(inline("%]"))));

    /** What is a step of its own among the rows of the history that are no notes. */
    private static final Condition IS_FINISHED_STEP =
            JOB_HISTORY.KIND.ne(inline(JobKind.FLOW.code())).andNot(IS_OPENING);

    private static final FixedQuery HISTORY = history(noCondition());
    private static final FixedQuery FINISHED = history(IS_FINISHED_STEP);
    private static final FixedQuery HISTORY_FOLDED = history(isUnfolded(JOB_HISTORY.STEP_KEY));
    private static final FixedQuery FINISHED_FOLDED = history(IS_FINISHED_STEP.and(isUnfolded(JOB_HISTORY.STEP_KEY)));

    private static final FixedQuery LIVE = live(noCondition());
    private static final FixedQuery LIVE_FOLDED = live(isUnfolded(JOB_QUEUE.STEP_KEY));

    private static final FixedQuery OPENINGS = new FixedQuery(select(historyFields(false))
            .from(JOB_HISTORY)
            .where(JOB_HISTORY.RUN_ID.eq(param("run", UUID.class)))
            .and(JOB_HISTORY.ID.ge(param("least", UUID.class)))
            .and(IS_CONTAINER)
            .and(JOB_HISTORY.STEP_KEY.eq(any(param("keys", String[].class)))));

    private static final FixedQuery OPEN_CONTAINERS = openContainers(noCondition());
    private static final FixedQuery OPEN_CONTAINERS_FOLDED = openContainers(isUnfolded(JOB_HISTORY.STEP_KEY));

    private final Database database;

    StepStore(Database database) {
        this.database = database;
    }

    /**
     * All history rows of a run after a position, without payloads, including openings of containers and the root job
     * of a flow.
     */
    List<Step> history(RunId run, StepFolding folding, HistoryPosition after, int limit) {
        return ended(folding.isFolded() ? HISTORY_FOLDED : HISTORY, run, folding, after, limit);
    }

    private List<Step> ended(FixedQuery query, RunId run, StepFolding folding, HistoryPosition after, int limit) {
        Object[] values = folding.values(
                List.of(run.value(), leastIn(run), after.ended().atOffset(ZoneOffset.UTC), after.id()), limit);
        return database.fetch(query, values).map(row -> StepRows.ended(row, Payloads.NONE));
    }

    /** Finished steps after a position, without payloads. */
    List<Step> finished(RunId run, StepFolding folding, HistoryPosition after, int limit) {
        return ended(folding.isFolded() ? FINISHED_FOLDED : FINISHED, run, folding, after, limit);
    }

    /** Finished steps after a position; fewer than {@code limit} if their payloads would exceed {@code bytesMax}. */
    BudgetedRows.Slice finished(RunId run, StepFolding folding, HistoryPosition after, int limit, long bytesMax) {
        return database.transaction(dsl -> BudgetedRows.take(
                dsl.select(historyFields(true))
                        .from(JOB_HISTORY)
                        .where(inRun(run).and(isAfter(after)))
                        .and(IS_FINISHED_STEP)
                        .and(isListed(JOB_HISTORY.STEP_KEY, folding))
                        .andNot(IS_NOTE)
                        .orderBy(JOB_HISTORY.ENDED_AT, JOB_HISTORY.ID)
                        .limit(limit),
                found -> StepRows.ended(found, historyPayloads(found)),
                bytesMax));
    }

    /**
     * The latest rows of a step, the job in the queue last; at most {@code limit}. A container in progress, which has neither an end
     * nor a job, is not among them.
     */
    List<Step> find(RunId run, String stepKey, boolean payloads, int limit) {
        return database.transaction(dsl -> {
            List<Step> steps = new ArrayList<>(dsl.select(historyFields(payloads))
                    .from(JOB_HISTORY)
                    .where(inRun(run).and(JOB_HISTORY.STEP_KEY.eq(stepKey)))
                    .and(JOB_HISTORY.KIND.ne(inline(JobKind.FLOW.code())))
                    .andNot(IS_NOTE)
                    .orderBy(JOB_HISTORY.ID.desc())
                    .limit(limit)
                    .fetch(found -> StepRows.ended(found, payloads ? historyPayloads(found) : Payloads.NONE))
                    .reversed());
            var live = selectLive(payloads)
                    .where(JOB_QUEUE.RUN_ID.eq(run.value()))
                    .and(JOB_QUEUE.STEP_KEY.eq(stepKey))
                    .and(IS_LISTED)
                    .limit(limit);
            live.attach(dsl.configuration());
            steps.addAll(live.fetch(found -> StepRows.live(found, payloads ? livePayloads(found) : Payloads.NONE)));
            return steps;
        });
    }

    /** The result of a step; empty unless the step has succeeded or was skipped. */
    Optional<Json> findResult(RunId run, String stepKey) {
        return database.run(dsl -> dsl.select(JOB_HISTORY.RESULT)
                        .from(JOB_HISTORY)
                        .where(inRun(run).and(JOB_HISTORY.STEP_KEY.eq(stepKey)))
                        .and(JOB_HISTORY.STATUS.in(EndStatus.SUCCEEDED.code(), EndStatus.SKIPPED.code()))
                        .and(JOB_HISTORY.KIND.ne(inline(JobKind.RESET.code())))
                        .orderBy(JOB_HISTORY.ID.desc())
                        .limit(1)
                        .fetchOptional(JOB_HISTORY.RESULT))
                .map(result -> new Json(result.data()));
    }

    /** The openings of the containers with these keys. */
    List<Step> openings(RunId run, Collection<String> containers) {
        String[] keys = containers.stream().map(key -> key + StepRows.OPENING).toArray(String[]::new);
        return database.fetch(OPENINGS, run.value(), leastIn(run), keys)
                .map(found -> StepRows.opened(StepRows.ended(found, Payloads.NONE)));
    }

    /** Containers in progress with a key greater than {@code afterKey}, ordered by key. */
    List<Step> openContainers(RunId run, StepFolding folding, String afterKey, int limit) {
        FixedQuery query = folding.isFolded() ? OPEN_CONTAINERS_FOLDED : OPEN_CONTAINERS;
        return database.fetch(query, folding.values(List.of(run.value(), leastIn(run), afterKey), limit))
                .map(found -> StepRows.opened(StepRows.ended(found, Payloads.NONE)));
    }

    private static FixedQuery openContainers(Condition condition) {
        var end = JOB_HISTORY.as("container_end");
        var reset = JOB_HISTORY.as("reset");
        Field<String> endKey = concat(end.STEP_KEY, inline(StepRows.OPENING));
        return new FixedQuery(select(historyFields(false))
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.RUN_ID.eq(param("run", UUID.class)))
                .and(JOB_HISTORY.ID.ge(param("least", UUID.class)))
                .and(IS_OPENING)
                .and(JOB_HISTORY.STEP_KEY.gt(param("after", String.class)))
                .and(condition)
                .and(notExists(selectOne()
                        .from(end)
                        .where(end.RUN_ID.eq(JOB_HISTORY.RUN_ID))
                        .and(end.KIND.in(CONTAINER_KINDS))
                        .and(endKey.eq(JOB_HISTORY.STEP_KEY).and(end.ID.gt(JOB_HISTORY.ID)))
                        .and(notExists(selectOne()
                                .from(reset)
                                .where(reset.RUN_ID.eq(end.RUN_ID))
                                .and(reset.KIND.eq(inline(JobKind.RESET.code())))
                                .and(reset.STEP_KEY.eq(concat(end.STEP_KEY, inline(REOPENING))))
                                .and(reset.ID.gt(end.ID))))))
                .orderBy(JOB_HISTORY.STEP_KEY)
                .limit(param("rows", Integer.class)));
    }

    private static FixedQuery history(Condition condition) {
        return new FixedQuery(select(historyFields(false))
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.RUN_ID.eq(param("run", UUID.class)))
                .and(JOB_HISTORY.ID.ge(param("least", UUID.class)))
                .and(row(JOB_HISTORY.ENDED_AT, JOB_HISTORY.ID)
                        .gt(row(param("after_end", OffsetDateTime.class), param("after_id", UUID.class))))
                .and(condition)
                .andNot(IS_NOTE)
                .orderBy(JOB_HISTORY.ENDED_AT, JOB_HISTORY.ID)
                .limit(param("rows", Integer.class)));
    }

    private static FixedQuery live(Condition condition) {
        return new FixedQuery(selectLive(false)
                .where(JOB_QUEUE.RUN_ID.eq(param("run", UUID.class)))
                .and(JOB_QUEUE.ID.gt(param("after", UUID.class)))
                .and(condition)
                .and(IS_LISTED)
                .orderBy(JOB_QUEUE.ID)
                .limit(param("rows", Integer.class)));
    }

    /** Whether a step is in an iteration, and in no folded loop inside it; see {@link StepFolding#values}. */
    private static Condition isUnfolded(Field<String> stepKey) {
        return isUnfolded(
                stepKey,
                param("iteration", String.class),
                param("inside", Integer.class),
                param("hidden", String.class));
    }

    private static Condition isUnfolded(
            Field<String> stepKey, Field<String> iteration, Field<Integer> inside, Field<String> hidden) {
        return condition("starts_with({0}, {1})", stepKey, iteration)
                .and(condition(
                        "(strpos({0}, '[') = 0 or substr({0}, {1}) !~ {2})",
                        stepKey, inside, inline(LoopKeys.FOLDED_PATTERN)))
                .and(condition("not starts_with({0}, {1})", stepKey, hidden));
    }

    private static Condition isListed(Field<String> stepKey, StepFolding folding) {
        return folding.isFolded()
                ? isUnfolded(stepKey, val(folding.iteration()), val(folding.inside()), val(folding.hidden()))
                : noCondition();
    }

    /** Live jobs of a run ordered by id, after an id, without payloads. The root job is the first. */
    List<Step> live(RunId run, Optional<JobId> after, int limit) {
        return live(run, StepFolding.NONE, after, limit);
    }

    /** The same without those that are folded. */
    List<Step> live(RunId run, StepFolding folding, Optional<JobId> after, int limit) {
        FixedQuery query = folding.isFolded() ? LIVE_FOLDED : LIVE;
        return database.fetch(query, folding.values(List.of(run.value(), idOf(after)), limit))
                .map(found -> StepRows.live(found, Payloads.NONE));
    }

    /**
     * Live jobs of a run ordered by id, after an id; fewer than {@code limit} if their payloads would exceed {@code
     * bytesMax}.
     */
    BudgetedRows.Slice live(RunId run, StepFolding folding, Optional<JobId> after, int limit, long bytesMax) {
        return database.transaction(dsl ->
                BudgetedRows.take(liveQuery(dsl, run, folding, after, limit), StepStore::liveWithPayloads, bytesMax));
    }

    private static ResultQuery<? extends Record> liveQuery(
            DSLContext dsl, RunId run, StepFolding folding, Optional<JobId> after, int limit) {
        ResultQuery<? extends Record> query = selectLive(true)
                .where(JOB_QUEUE.RUN_ID.eq(run.value()))
                .and(JOB_QUEUE.ID.gt(idOf(after)))
                .and(isListed(JOB_QUEUE.STEP_KEY, folding))
                .and(IS_LISTED)
                .orderBy(JOB_QUEUE.ID)
                .limit(limit);
        query.attach(dsl.configuration());
        return query;
    }

    private static UUID idOf(Optional<JobId> after) {
        return after.map(JobId::value).orElse(new UUID(0, 0));
    }

    private static SelectOnConditionStep<? extends Record> selectLive(boolean payloads) {
        Field<?>[] fields = Stream.of(JOB_QUEUE.fields())
                .filter(field -> payloads || !field.equals(JOB_QUEUE.INPUT))
                .toArray(Field<?>[]::new);
        return select(fields)
                .select(WORKER_SESSION.WORKER_NAME)
                .from(JOB_QUEUE)
                .leftJoin(WORKER_SESSION)
                .on(WORKER_SESSION.ID.eq(JOB_QUEUE.SESSION_ID));
    }

    private static Condition inRun(RunId run) {
        return JOB_HISTORY.RUN_ID.eq(run.value()).and(JOB_HISTORY.ID.ge(leastIn(run)));
    }

    /**
     * The smallest id that a job of the run can have, because its jobs are made after it. This bound lets Postgres skip
     * the partitions of earlier days.
     */
    private static UUID leastIn(RunId run) {
        return IdTimes.least(IdTimes.madeAt(run.value()));
    }

    private static Condition isAfter(HistoryPosition place) {
        return row(JOB_HISTORY.ENDED_AT, JOB_HISTORY.ID)
                .gt(row(val(place.ended().atOffset(ZoneOffset.UTC)), val(place.id())));
    }

    private static Field<?>[] historyFields(boolean payloads) {
        return Stream.of(JOB_HISTORY.fields())
                .filter(field -> payloads || (!field.equals(JOB_HISTORY.INPUT) && !field.equals(JOB_HISTORY.RESULT)))
                .toArray(Field<?>[]::new);
    }

    private static Payloads historyPayloads(Record found) {
        return new Payloads(JobRows.json(found.get(JOB_HISTORY.INPUT)), JobRows.json(found.get(JOB_HISTORY.RESULT)));
    }

    private static Step liveWithPayloads(Record found) {
        return StepRows.live(found, livePayloads(found));
    }

    private static Payloads livePayloads(Record found) {
        return new Payloads(JobRows.json(found.get(JOB_QUEUE.INPUT)), Optional.empty());
    }
}
