package dev.millrace.scheduler.run.step;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.IdTimes;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The rows of a run's history that say something about iterations, in few columns. */
final class FoldStore {
    private static final FixedQuery ROWS = new FixedQuery(
            NamedCodes.expand("""
            select id, kind, step_key, status, created_at, started_at, ended_at from job_history
            where run_id = ? and id >= ? and (ended_at, id) > (?, ?)
                and (strpos(step_key, '[') > 0 and starts_with(step_key, ?) or kind = {JobKind.RESET})
            order by ended_at, id limit ?
            """),
            JOB_HISTORY.ID,
            JOB_HISTORY.KIND,
            JOB_HISTORY.STEP_KEY,
            JOB_HISTORY.STATUS,
            JOB_HISTORY.CREATED_AT,
            JOB_HISTORY.STARTED_AT,
            JOB_HISTORY.ENDED_AT);

    private static final Field<Integer> ITEMS = DSL.field("items", SQLDataType.INTEGER);

    private static final FixedQuery TOTAL = new FixedQuery(NamedCodes.expand("""
            select case when json_typeof(result) = 'array' then json_array_length(result) else 0 end from job_history
            where run_id = ? and id >= ? and step_key = ?
                and kind in ({JobKind.FOR_EACH}, {JobKind.SWITCH}, {JobKind.WHILE}, {JobKind.PARALLEL}, {JobKind.SUB_FLOW})
            order by id desc limit 1
            """), ITEMS);

    private final Database database;

    FoldStore(Database database) {
        this.database = database;
    }

    /**
     * Rows that were read.
     *
     * @param end position of the last one
     */
    record Page(List<FoldRow> rows, HistoryPosition end) {}

    /** Rows of steps inside iterations after a position, and the resets of all steps, in the order of their ends. */
    Page rows(RunId run, String scope, HistoryPosition after, int limit) {
        List<FoldRow> rows = new ArrayList<>();
        HistoryPosition end = after;
        for (Record row : database.fetch(
                ROWS, run.value(), leastIn(run), after.ended().atOffset(ZoneOffset.UTC), after.id(), scope, limit)) {
            OffsetDateTime ended = row.get(JOB_HISTORY.ENDED_AT);
            rows.add(new FoldRow(
                    row.get(JOB_HISTORY.STEP_KEY),
                    row.get(JOB_HISTORY.KIND) == JobKind.RESET.code(),
                    StepState.ended(EndStatus.ofCode(row.get(JOB_HISTORY.STATUS))),
                    row.get(JOB_HISTORY.CREATED_AT).toInstant().toEpochMilli(),
                    millis(row.get(JOB_HISTORY.STARTED_AT)),
                    ended.toInstant().toEpochMilli()));
            end = new HistoryPosition(ended.toInstant(), row.get(JOB_HISTORY.ID));
        }
        return new Page(rows, end);
    }

    /** Number of items of a loop over items; 0 for other loops, and for one that has not begun. */
    int items(RunId run, String loop) {
        return database.fetch(TOTAL, run.value(), leastIn(run), loop + StepRows.OPENING).stream()
                .findFirst()
                .map(row -> row.get(ITEMS))
                .orElse(0);
    }

    private static Optional<Long> millis(@Nullable OffsetDateTime time) {
        return Optional.ofNullable(time).map(known -> known.toInstant().toEpochMilli());
    }

    private static UUID leastIn(RunId run) {
        return IdTimes.least(IdTimes.madeAt(run.value()));
    }
}
