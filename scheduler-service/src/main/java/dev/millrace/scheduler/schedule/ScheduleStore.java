package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.schedule.core.Turn;
import dev.millrace.scheduler.trigger.ClaimedStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerId;
import dev.millrace.scheduler.trigger.TriggerRows;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Where schedules stand, in Postgres.
 *
 * <p>A schedule is decided on while its row is locked, and its occurrences are noted in the same transaction. So any number
 * of schedulers decide on each tick once. Triggers that somebody deletes are passed over.
 */
final class ScheduleStore {
    private static final String DUE = "select " + TriggerRows.COLUMNS + """
            , now() as now, s.next_tick, s.waiting, s.last_occurrence, l.state as last_state, coalesce(l.run_id, l.id) as last_run,
                exists (select 1 from job_queue q where q.id = l.run_id) as is_live
            from schedule s join trigger t on t.id = s.trigger_id
            left join trigger_start l on l.trigger_id = s.trigger_id and l.occurrence = s.last_occurrence
            where s.wake_at <= now() and t.workspace <> all (?::text[])
            order by s.wake_at limit ?
            for update of s skip locked for key share of t skip locked
            """;
    private static final String MOVE = """
            update schedule s set next_tick = n.next_tick, wake_at = n.wake_at, waiting = n.waiting, last_occurrence = n.last_occurrence
            from unnest(?::uuid[], ?::timestamptz[], ?::timestamptz[], ?::int[], ?::text[])
                as n(trigger_id, next_tick, wake_at, waiting, last_occurrence)
            where s.trigger_id = n.trigger_id
            """;
    private static final String UNTIL_NEXT = """
            select ceil(extract(epoch from min(wake_at) - now()) * 1000)::bigint from (
                select min(wake_at) as wake_at from schedule where wake_at is not null
                union all select min(wake_at) from schedule_backfill where wake_at is not null) as w
            """;
    private static final String STANDING =
            "select trigger_id, next_tick, waiting from schedule where trigger_id = any (?::uuid[])";
    private static final String NOW = "select now() as now";

    private final Database database;

    ScheduleStore(Database database) {
        this.database = database;
    }

    /**
     * What came of looking at due schedules.
     *
     * @param seen number of schedules that were looked at
     */
    record Fired(int seen, NotedStarts noted, List<ScheduleMove> moves) {}

    /**
     * Looks at due schedules, those first that have been due for longest.
     *
     * @param busy workspaces to pass over
     */
    Fired fire(int max, Set<Workspace> busy, BiFunction<DueSchedule, Instant, ScheduleMove> decide) {
        return database.transaction(dsl -> {
            List<ScheduleMove> moves = dsl.fetch(
                            DUE, busy.stream().map(Workspace::name).toArray(String[]::new), max)
                    .map(row -> decide.apply(due(row), time(row, "now").orElseThrow()));
            if (moves.isEmpty()) {
                return new Fired(0, NotedStarts.NONE, List.of());
            }
            List<ClaimedStart> claimed = new ArrayList<>(TriggerStartRows.release(
                    dsl,
                    moves.stream()
                            .filter(ScheduleMove::releases)
                            .map(move -> move.trigger().id())
                            .toList()));
            Map<TriggerId, String> released =
                    claimed.stream().collect(Collectors.toMap(ClaimedStart::trigger, ClaimedStart::occurrence));
            NotedStarts noted = TriggerStartRows.note(
                    dsl, moves.stream().flatMap(move -> move.starts().stream()).toList());
            claimed.addAll(noted.claimed());
            move(dsl, moves, released);
            moves.forEach(move -> move.missed().ifPresent(missed -> recordMissed(dsl, move.trigger(), missed)));
            return new Fired(moves.size(), new NotedStarts(claimed, noted.unstarted()), moves);
        });
    }

    /** Whoever must know of it is told by an alert, so the event commits with the decision. */
    private static void recordMissed(DSLContext dsl, Trigger trigger, Turn.Missed missed) {
        EventRows.insert(
                dsl,
                trigger.key().workspace(),
                "schedule.missed",
                trigger.key().path(),
                Map.of("first_time", missed.first().toString(), "ticks", Integer.toString(missed.count())));
    }

    private static void move(DSLContext dsl, List<ScheduleMove> moves, Map<TriggerId, String> released) {
        dsl.execute(
                MOVE,
                moves.stream().map(move -> move.trigger().id().value()).toArray(UUID[]::new),
                times(moves, ScheduleMove::nextTick),
                times(moves, ScheduleMove::wakeAt),
                moves.stream().map(ScheduleMove::waiting).toArray(Integer[]::new),
                moves.stream().map(move -> last(move, released)).toArray(String[]::new));
    }

    /** A released tick is older than those that were decided on now, so it counts only if none of these starts. */
    private static @Nullable String last(ScheduleMove move, Map<TriggerId, String> released) {
        boolean starts = move.starts().stream().anyMatch(start -> start.state() == StartState.CLAIMED);
        String before = move.lastOccurrence().orElse(null);
        return starts ? before : released.getOrDefault(move.trigger().id(), before);
    }

    private static DueSchedule due(Record row) {
        Trigger trigger = TriggerRows.read(row);
        @Nullable Short state = row.get("last_state", Short.class);
        boolean isPending = state != null && state == StartState.CLAIMED.code();
        boolean isLive = isPending || row.get("is_live", Boolean.class);
        return new DueSchedule(
                trigger,
                new Turn.Standing(time(row, "next_tick"), isLive, row.get("waiting", Integer.class)),
                Optional.ofNullable(row.get("last_occurrence", String.class)),
                Optional.ofNullable(row.get("last_run", UUID.class))
                        .filter(_ -> isLive)
                        .map(RunId::new),
                isPending);
    }

    /** Time until a schedule or backfill is to be looked at, zero if one is; empty if there is none. */
    Optional<Duration> untilNext() {
        return database.run(
                dsl -> Optional.ofNullable(dsl.fetchSingle(UNTIL_NEXT).get(0, Long.class))
                        .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }

    /** Triggers with where their schedules stand, in the same order. */
    List<Schedule> standing(Collection<Trigger> triggers) {
        UUID[] ids = triggers.stream().map(trigger -> trigger.id().value()).toArray(UUID[]::new);
        Map<UUID, Record> rows = new HashMap<>();
        database.run(dsl -> dsl.fetch(STANDING, (Object) ids))
                .forEach(row -> rows.put(row.get("trigger_id", UUID.class), row));
        return triggers.stream()
                .map(trigger -> Optional.ofNullable(rows.get(trigger.id().value()))
                        .map(row -> new Schedule(trigger, time(row, "next_tick"), row.get("waiting", Integer.class)))
                        .orElseGet(() -> new Schedule(trigger, Optional.empty(), 0)))
                .toList();
    }

    /** The database's clock. */
    Instant now() {
        return database.run(dsl -> time(dsl.fetchSingle(NOW), "now").orElseThrow());
    }

    static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static String[] times(List<ScheduleMove> moves, Function<ScheduleMove, Optional<Instant>> time) {
        return moves.stream()
                .map(move -> time.apply(move).map(Instant::toString).orElse(null))
                .toArray(String[]::new);
    }
}
