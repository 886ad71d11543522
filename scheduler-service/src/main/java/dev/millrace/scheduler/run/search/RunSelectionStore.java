package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.run.IdTimes;
import dev.millrace.scheduler.run.RunRows;
import dev.millrace.scheduler.run.RunState;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * Finds the runs that match a filter apart from payloads and tags, in the live jobs first and in the history second, because runs move in that
 * direction.
 */
final class RunSelectionStore {
    private final Database database;

    RunSelectionStore(Database database) {
        this.database = database;
    }

    /** At most {@code limit} runs: live ones first, each group oldest first. */
    List<RunId> find(Workspace workspace, RunFilter filter, int limit) {
        Set<RunId> found = new LinkedHashSet<>(findLive(workspace, filter, limit));
        found.addAll(findEnded(workspace, filter, limit));
        return found.stream().limit(limit).toList();
    }

    private List<RunId> findLive(Workspace workspace, RunFilter filter, int limit) {
        boolean queued = filter.search().states().contains(RunState.QUEUED);
        boolean running = filter.search().states().contains(RunState.RUNNING);
        if (!queued && !running) {
            return List.of();
        }
        Condition isBegun = RunRows.isBegun();
        Condition fits = queued && running ? noCondition() : running ? isBegun : isBegun.not();
        return database.run(dsl -> dsl.select(JOB_QUEUE.ID)
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace.name()).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(ofFlows(filter, JOB_QUEUE.KIND))
                .and(RunListStore.fits(
                        filter.search(), JOB_QUEUE.KIND, JOB_QUEUE.NAME, JOB_QUEUE.CREATED_AT, JOB_QUEUE.ID))
                .and(fits)
                .orderBy(JOB_QUEUE.ID)
                .limit(limit)
                .fetch(row -> new RunId(row.value1())));
    }

    private List<RunId> findEnded(Workspace workspace, RunFilter filter, int limit) {
        List<Short> statuses = filter.search().ends();
        if (statuses.isEmpty()) {
            return List.of();
        }
        return database.run(dsl -> dsl.select(JOB_HISTORY.ID)
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.WORKSPACE.eq(workspace.name()).and(JOB_HISTORY.STEP_KEY.eq(inline(""))))
                .and(ofFlows(filter, JOB_HISTORY.KIND))
                .and(RunListStore.fits(
                        filter.search(), JOB_HISTORY.KIND, JOB_HISTORY.NAME, JOB_HISTORY.CREATED_AT, JOB_HISTORY.ID))
                .and(RunListStore.endedAs(statuses))
                .orderBy(JOB_HISTORY.ID)
                .limit(limit)
                .fetch(row -> new RunId(row.value1())));
    }

    private static Condition ofFlows(RunFilter filter, Field<Short> kind) {
        return filter.isOfFlows() ? kind.eq(inline(JobKind.FLOW.code())) : noCondition();
    }

    static Condition inTime(
            Optional<Instant> from, Optional<Instant> before, Field<OffsetDateTime> created, Field<UUID> id) {
        Condition notEarlier = from.map(time -> created.ge(utc(time))).orElse(noCondition());
        return notEarlier
                .and(before.map(time -> created.lt(utc(time))).orElse(noCondition()))
                .and(isNear(from, before, id));
    }

    /** A bound on ids that every run of the time range meets. It lets Postgres skip partitions. */
    static Condition isNear(Optional<Instant> from, Optional<Instant> before, Field<UUID> id) {
        Condition notEarlier = from.map(time -> id.ge(IdTimes.least(time))).orElse(noCondition());
        return notEarlier.and(before.map(time -> id.lt(IdTimes.beyond(time))).orElse(noCondition()));
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
