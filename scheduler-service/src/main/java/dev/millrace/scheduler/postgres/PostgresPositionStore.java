package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * How far triggers have come in their tables, and which scheduler listens. A position moves in the transaction that notes the
 * rows before it, and only the holder moves it. So each row is noted once, even if two schedulers read it.
 */
final class PostgresPositionStore {
    /** Schedulers that know another version of the trigger get nothing. */
    private static final String CLAIM = """
            insert into postgres_position as p (trigger_id, source, holder, held_until)
            select id, ?, ?, now() + ? * interval '1 millisecond' from trigger where id = ? and version = ? and paused_at is null
            on conflict (trigger_id) do update set
                source = excluded.source, holder = excluded.holder, held_until = excluded.held_until,
                last_id = case when p.source = excluded.source then p.last_id end,
                heard_at = case when p.source = excluded.source then p.heard_at end
            where p.holder = excluded.holder or p.held_until < now()
            returning last_id, heard_at
            """;

    private static final String RELEASE =
            "update postgres_position set held_until = now() where trigger_id = ? and holder = ?";
    /** Locked before the position, as a deletion does. */
    private static final String ACTIVE =
            "select 1 from trigger where id = ? and version = ? and paused_at is null for key share";

    private static final String LOCK = """
            select last_id, heard_at, clock_timestamp() as now from postgres_position
            where trigger_id = ? and holder = ? and source = ? for no key update
            """;
    private static final String MOVE = "update postgres_position set last_id = ? where trigger_id = ?";
    private static final String HEAR = "update postgres_position set heard_at = clock_timestamp() where trigger_id = ?";

    private final Database database;

    PostgresPositionStore(Database database) {
        this.database = database;
    }

    /**
     * Who asks.
     *
     * @param trigger with its version
     * @param source what it reads
     * @param holder names the scheduler
     */
    record Holder(Trigger trigger, String source, UUID holder) {}

    /**
     * Where a trigger stands.
     *
     * @param last number of the last row that was noted; empty if the trigger has not begun
     * @param heardAt when a scheduler certainly listened to the channel the last time
     */
    record Position(OptionalLong last, Optional<Instant> heardAt) {}

    /**
     * Makes a scheduler the one that listens, or prolongs that.
     *
     * @return empty if another scheduler listens, or the trigger was paused, changed or deleted
     */
    Optional<Position> claim(Holder by, Duration time) {
        return database.run(dsl -> dsl
                .fetch(
                        CLAIM,
                        by.source(),
                        by.holder(),
                        time.toMillis(),
                        by.trigger().id().value(),
                        by.trigger().version())
                .stream()
                .map(row -> new Position(last(row), time(row, "heard_at")))
                .findFirst());
    }

    /** Lets another scheduler listen at once. */
    void release(Holder by) {
        database.run(dsl -> dsl.execute(RELEASE, by.trigger().id().value(), by.holder()));
    }

    /**
     * Notes rows, and moves the position to the last of them.
     *
     * @param last number of the last row
     * @param starts what to note, by the number of the last row that was noted before
     * @return what was noted; empty if the scheduler does not listen any more, so that nothing was noted
     */
    Optional<NotedStarts> note(Holder by, long last, Function<OptionalLong, List<NewStart>> starts) {
        return database.transaction(dsl -> locked(dsl, by).map(row -> {
            OptionalLong before = last(row);
            if (before.isPresent() && before.getAsLong() >= last) {
                return NotedStarts.NONE;
            }
            NotedStarts noted = TriggerStartRows.note(dsl, starts.apply(before));
            dsl.execute(MOVE, last, by.trigger().id().value());
            return noted;
        }));
    }

    /**
     * Notes that the scheduler listens to the channel, with what it has heard.
     *
     * @param starts what to note, by the time of the last such note and the time now
     * @return what was noted; empty if the scheduler does not listen any more, so that nothing was noted
     */
    Optional<NotedStarts> hear(Holder by, Function<Heard, List<NewStart>> starts) {
        return database.transaction(dsl -> locked(dsl, by).map(row -> {
            Heard heard = new Heard(time(row, "heard_at"), time(row, "now").orElseThrow());
            NotedStarts noted = TriggerStartRows.note(dsl, starts.apply(heard));
            dsl.execute(HEAR, by.trigger().id().value());
            return noted;
        }));
    }

    private static Optional<Record> locked(DSLContext dsl, Holder by) {
        UUID trigger = by.trigger().id().value();
        return dsl.fetch(ACTIVE, trigger, by.trigger().version()).isEmpty()
                ? Optional.empty()
                : dsl.fetch(LOCK, trigger, by.holder(), by.source()).stream().findFirst();
    }

    /**
     * Times by the clock of the database.
     *
     * @param before when a scheduler certainly listened the last time
     */
    record Heard(Optional<Instant> before, Instant now) {}

    private static OptionalLong last(Record row) {
        Long last = row.get("last_id", Long.class);
        return last == null ? OptionalLong.empty() : OptionalLong.of(last);
    }

    private static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
