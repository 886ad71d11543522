package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.schedule.core.Timetable;
import dev.millrace.scheduler.trigger.ClaimedStart;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerRows;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Backfills in Postgres. A backfill starts runs while its row is locked, so it has no more in progress than it may. */
final class BackfillStore {
    /** Maximum number of backfills of a schedule that are listed, and that have not ended. */
    static final int BACKFILLS_MAX = 100;

    private static final int BATCH_MAX = 20;

    private static final String INSERT = """
            insert into schedule_backfill (id, trigger_id, from_time, to_time, next_tick, parallel_max, total, actor)
            select ?, ?, ?::timestamptz, ?::timestamptz, ?::timestamptz, ?, ?, ?
            where (select count(*) from schedule_backfill where trigger_id = ? and ended_at is null) < ?
            """;
    private static final String LIST =
            "select * from schedule_backfill where trigger_id = ? order by trigger_id, id desc limit " + BACKFILLS_MAX;

    private static final String DUE = "select " + TriggerRows.COLUMNS + """
            , b.id as backfill_id, b.to_time, b.next_tick, b.parallel_max, b.live
            from schedule_backfill b join trigger t on t.id = b.trigger_id
            where b.wake_at <= now()
            order by b.wake_at limit ?
            for update of b skip locked for key share of t skip locked
            """;
    private static final String LIVE = NamedCodes.expand("""
            select s.occurrence from trigger_start s
            where s.trigger_id = ? and s.occurrence = any (?::text[])
                and (s.state = {StartState.CLAIMED} or exists (select 1 from job_queue q where q.id = s.run_id))
            """, StartState.CODES);
    private static final String MOVE = """
            update schedule_backfill
            set next_tick = ?::timestamptz, live = ?::text[], started = started + ?,
                wake_at = case when ? then null else now() + ? * interval '1 millisecond' end, ended_at = case when ? then now() end
            where id = ?
            """;
    private static final int INTERVAL_MILLIS = 1_000;

    private final Database database;

    BackfillStore(Database database) {
        this.database = database;
    }

    /** Accepts a backfill; false if the schedule has {@link #BACKFILLS_MAX} that have not ended. */
    boolean insert(Trigger trigger, Backfill backfill, Instant first) {
        return database.run(dsl -> dsl.execute(
                        INSERT,
                        backfill.id(),
                        trigger.id().value(),
                        backfill.from().toString(),
                        backfill.to().toString(),
                        first.toString(),
                        backfill.parallelMax(),
                        backfill.total(),
                        backfill.actor(),
                        trigger.id().value(),
                        BACKFILLS_MAX))
                == 1;
    }

    /** Backfills of a schedule, newest first. */
    List<Backfill> list(TriggerId trigger) {
        return database.run(dsl -> dsl.fetch(LIST, trigger.value()).map(BackfillStore::read));
    }

    /** Starts runs of due backfills. Returns the occurrences that were claimed. */
    List<ClaimedStart> advance(Supplier<RunId> ids) {
        return database.transaction(dsl -> {
            List<ClaimedStart> claimed = new ArrayList<>();
            for (Record row : dsl.fetch(DUE, BATCH_MAX)) {
                claimed.addAll(advance(dsl, row, ids));
            }
            return claimed;
        });
    }

    private static List<ClaimedStart> advance(DSLContext dsl, Record row, Supplier<RunId> ids) {
        Trigger trigger = TriggerRows.read(row);
        UUID id = row.get("backfill_id", UUID.class);
        Instant to = ScheduleStore.time(row, "to_time").orElseThrow();
        Optional<Instant> next = ScheduleStore.time(row, "next_tick");
        List<String> live = new ArrayList<>(dsl.fetch(LIVE, trigger.id().value(), row.get("live", String[].class))
                .getValues(0, String.class));
        List<NewStart> starts = new ArrayList<>();
        if (!trigger.isPaused()) {
            ScheduleSettings settings = ScheduleProtos.settings(trigger.spec().settings());
            Timetable timetable = settings.timetable();
            while (next.isPresent() && live.size() < row.get("parallel_max", Integer.class)) {
                Instant tick = next.get();
                NewStart start = NewStart.of(
                        trigger,
                        ids.get(),
                        TickNames.backfill(id, tick),
                        tick,
                        TickNames.input(trigger.spec().run(), settings.timeInput(), tick));
                starts.add(start);
                live.add(start.occurrence());
                next = timetable.next(tick).filter(following -> !following.isAfter(to));
            }
        }
        boolean hasEnded = next.isEmpty() && live.isEmpty();
        dsl.execute(
                MOVE,
                next.map(Instant::toString).orElse(null),
                live.toArray(String[]::new),
                starts.size(),
                hasEnded,
                INTERVAL_MILLIS,
                hasEnded,
                id);
        return TriggerStartRows.note(dsl, starts).claimed();
    }

    private static Backfill read(Record row) {
        return new Backfill(
                row.get("id", UUID.class),
                ScheduleStore.time(row, "from_time").orElseThrow(),
                ScheduleStore.time(row, "to_time").orElseThrow(),
                row.get("parallel_max", Integer.class),
                row.get("total", Integer.class),
                row.get("started", Integer.class),
                row.get("actor", String.class),
                ScheduleStore.time(row, "created_at").orElseThrow(),
                ScheduleStore.time(row, "ended_at"));
    }
}
