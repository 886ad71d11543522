package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FolderCondition;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunRows;
import dev.millrace.scheduler.run.RunState;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectField;
import org.jooq.impl.DSL;

/** Lists runs from Postgres, the live jobs first and the history second, because runs move in that direction. */
final class RunListStore {
    private final Database database;

    RunListStore(Database database) {
        this.database = database;
    }

    /** Matching runs of a workspace, newest first, without payloads. */
    List<Run> list(Workspace workspace, RunSearch search, Optional<RunId> before, int limit) {
        return list(workspace, search, before(JOB_QUEUE.ID, before), before(JOB_HISTORY.ID, before), limit);
    }

    /** The given runs that match apart from their payloads, newest first, without payloads. */
    List<Run> listThese(Workspace workspace, RunSearch search, List<RunId> runs) {
        return list(
                workspace,
                search,
                isAmong(runs, JOB_QUEUE.BUCKET, JOB_QUEUE.ID),
                isAmong(runs, JOB_HISTORY.BUCKET, JOB_HISTORY.ID),
                runs.size());
    }

    private List<Run> list(
            Workspace workspace, RunSearch search, Condition amongLive, Condition amongEnded, int limit) {
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

    private List<Run> listLive(Workspace workspace, RunSearch search, Condition among, int limit) {
        Set<RunState> states = search.states();
        Condition begun = RunRows.isBegun();
        return database.run(dsl -> dsl.select(without(JOB_QUEUE.fields(), JOB_QUEUE.INPUT))
                .select(
                        begun.as(RunRows.IS_BEGUN),
                        RunRows.firstStart(JOB_QUEUE.RUN_ID, JOB_QUEUE.CREATED_AT)
                                .as(RunRows.FIRST_START))
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace.name()).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(states.contains(RunState.RUNNING) ? inline(true).isTrue() : begun.not())
                .and(states.contains(RunState.QUEUED) ? inline(true).isTrue() : begun)
                .and(fits(search, JOB_QUEUE.KIND, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID))
                .and(among)
                .orderBy(JOB_QUEUE.ID.desc())
                .limit(limit)
                .fetch(row -> RunRows.live(row, Payloads.NONE)));
    }

    private List<Run> listEnded(Workspace workspace, RunSearch search, List<Short> ends, Condition among, int limit) {
        return database.run(dsl ->
                ended(dsl, workspace, search, ends, among, limit).fetch(row -> RunRows.ended(row, Payloads.NONE)));
    }

    static ResultQuery<Record> ended(
            DSLContext dsl, Workspace workspace, RunSearch search, List<Short> ends, Condition among, int limit) {
        return dsl.select(without(JOB_HISTORY.fields(), JOB_HISTORY.INPUT, JOB_HISTORY.RESULT))
                .select(RunRows.ENDED_FIRST_START)
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.WORKSPACE.eq(workspace.name()).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                .and(endedAs(ends))
                .and(fits(search, JOB_HISTORY.KIND, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID))
                .and(among)
                .orderBy(JOB_HISTORY.ID.desc())
                .limit(limit);
    }

    /**
     * The condition on the codes of ended runs. The index {@code job_history_unsuccessful_roots} has a part of it as its
     * predicate, and Postgres only uses it for conditions in these words. So do not bind the values.
     */
    static Condition endedAs(List<Short> ends) {
        if (ends.size() == EndStatus.values().length) {
            return noCondition();
        }
        Condition isOneOf = JOB_HISTORY.STATUS.in(ends.stream().map(DSL::inline).toList());
        return ends.contains(EndStatus.SUCCEEDED.code())
                ? isOneOf
                : JOB_HISTORY.STATUS.ne(inline(EndStatus.SUCCEEDED.code())).and(isOneOf);
    }

    private static Condition isAmong(List<RunId> runs, Field<Short> bucket, Field<UUID> id) {
        return row(bucket, id)
                .in(runs.stream()
                        .map(run -> row(run.bucket().value(), run.value()))
                        .toList());
    }

    static Condition fits(
            RunSearch search, Field<Short> kind, Field<String> name, Field<OffsetDateTime> created, Field<UUID> id) {
        return search.name()
                .map(name::eq)
                .orElse(noCondition())
                .and(KindOfRunRows.are(search.kind(), kind, name))
                .and(FolderCondition.of(name, search.folders()))
                .and(RunSelectionStore.inTime(search.createdFrom(), search.createdBefore(), created, id));
    }

    static Condition before(Field<UUID> id, Optional<RunId> before) {
        return before.map(run -> id.lt(run.value())).orElse(inline(true).isTrue());
    }

    private static List<? extends SelectField<?>> without(Field<?>[] fields, Field<?>... dropped) {
        List<Field<?>> heavy = List.of(dropped);
        return Stream.of(fields).filter(field -> !heavy.contains(field)).toList();
    }
}
