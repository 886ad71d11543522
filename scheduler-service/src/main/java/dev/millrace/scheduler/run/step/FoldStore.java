package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.IdTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The rows of a run's history that say something about iterations, in few columns. */
final class FoldStore {
    private static final FixedQuery ROWS = new FixedQuery(NamedCodes.expand("""
            select id, kind, step_key, status, date_part('epoch', created_at), date_part('epoch', started_at),
                date_part('epoch', ended_at) from job_history
            where run_id = ? and id >= ? and (ended_at, id) > (?, ?)
                and (strpos(step_key, '[') > 0 and starts_with(step_key, ?) or kind = {JobKind.RESET})
            order by ended_at, id limit ?
            """));

    private static final double MICROS = 1e6;

    private static final Field<OffsetDateTime> TIME = DSL.field("time", SQLDataType.TIMESTAMPWITHTIMEZONE);
    private static final FixedQuery NOW = new FixedQuery("select clock_timestamp()", TIME);

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
        PageReader page = new PageReader(after);
        database.scan(
                ROWS,
                page,
                run.value(),
                leastIn(run),
                after.ended().atOffset(ZoneOffset.UTC),
                after.id(),
                scope,
                limit);
        return new Page(page.rows, page.end);
    }

    private static final class PageReader implements Database.RowReader {
        final List<FoldRow> rows = new ArrayList<>();
        HistoryPosition end;

        PageReader(HistoryPosition after) {
            this.end = after;
        }

        @Override
        public void read(ResultSet row) throws SQLException {
            int column = 0;
            UUID id = requireNonNull(row.getObject(++column, UUID.class));
            boolean isReset = row.getShort(++column) == JobKind.RESET.code();
            String key = requireNonNull(row.getString(++column));
            StepState state = StepState.ended(EndStatus.ofCode(row.getShort(++column)));
            long created = micros(row.getDouble(++column));
            long started = micros(row.getDouble(++column));
            boolean isStarted = !row.wasNull();
            long ended = micros(row.getDouble(++column));
            rows.add(new FoldRow(
                    key,
                    isReset,
                    state,
                    millis(created),
                    isStarted ? Optional.of(millis(started)) : Optional.empty(),
                    millis(ended)));
            end = new HistoryPosition(Instant.EPOCH.plus(ended, ChronoUnit.MICROS), id);
        }

        /** Exact for times of some centuries, since a double has 53 bits. */
        private static long micros(double seconds) {
            return Math.round(seconds * MICROS);
        }

        private static long millis(long micros) {
            return TimeUnit.MICROSECONDS.toMillis(micros);
        }
    }

    /** The time of the database. */
    Instant now() {
        return database.fetch(NOW).getFirst().get(TIME).toInstant();
    }

    /** Number of items of a loop over items; 0 for other loops, and for one that has not begun. */
    int items(RunId run, String loop) {
        return database.fetch(TOTAL, run.value(), leastIn(run), loop + StepRows.OPENING).stream()
                .findFirst()
                .map(row -> row.get(ITEMS))
                .orElse(0);
    }

    private static UUID leastIn(RunId run) {
        return IdTimes.least(IdTimes.madeAt(run.value()));
    }
}
