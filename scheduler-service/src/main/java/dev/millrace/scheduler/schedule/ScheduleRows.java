package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKindRows;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Where schedules stand, after a change of their triggers. A tick that was due before the change is kept, so that a
 * change loses none. Ticks during a pause are not caught up.
 */
final class ScheduleRows implements TriggerKindRows {
    private static final String LOCK = """
            select now() as now, (select s.next_tick from schedule s where s.trigger_id = ? and s.wake_at is not null) as next_tick
            """;
    private static final String LOCK_ROW = "select 1 from schedule where trigger_id = ? for update";
    private static final String PUT = """
            insert into schedule (trigger_id, next_tick, wake_at) values (?, ?::timestamptz, ?::timestamptz)
            on conflict (trigger_id) do update set next_tick = excluded.next_tick, wake_at = excluded.wake_at
            """;

    @Override
    public void changed(DSLContext dsl, Trigger trigger) {
        var _ = dsl.fetch(LOCK_ROW, trigger.id().value());
        Record row = dsl.fetchSingle(LOCK, trigger.id().value());
        Instant now = row.get("now", OffsetDateTime.class).toInstant();
        Optional<Instant> due = Optional.ofNullable(row.get("next_tick", OffsetDateTime.class))
                .map(OffsetDateTime::toInstant)
                .filter(tick -> !tick.isAfter(now));
        ScheduleSettings settings = ScheduleProtos.settings(trigger.spec().settings());
        Optional<Instant> next = due.or(() -> settings.timetable().next(now));
        Optional<Instant> wakeAt = next.filter(_ -> !trigger.isPaused())
                .map(tick -> settings.conduct().fireAt(tick, seed(trigger)));
        dsl.execute(
                PUT,
                trigger.id().value(),
                next.map(Instant::toString).orElse(null),
                wakeAt.map(Instant::toString).orElse(null));
    }

    /** The run of a schedule with the time that a tick would pass to it. */
    @Override
    public RunTemplate sample(TriggerSpec spec) {
        return TickNames.input(
                        spec.run(), ScheduleProtos.settings(spec.settings()).timeInput(), Instant.EPOCH)
                .map(spec.run()::withInput)
                .orElse(spec.run());
    }

    /** Tells schedules apart, so that their jitter differs. */
    static long seed(Trigger trigger) {
        return trigger.id().value().getLeastSignificantBits();
    }
}
