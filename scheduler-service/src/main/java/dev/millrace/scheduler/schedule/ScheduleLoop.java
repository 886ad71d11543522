package dev.millrace.scheduler.schedule;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventlog.EventsRecorded;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.trigger.ClaimedStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.SchedulesChanged;
import dev.millrace.scheduler.wake.SchedulesChangedElsewhere;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires the ticks of schedules, and advances backfills.
 *
 * <p>Sleeps until the next schedule is to be looked at, a {@link #wake}, or the end of the healing interval. Any number of
 * schedulers may run the loop: each tick is decided on once, and noted in the same transaction.
 */
public final class ScheduleLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ScheduleLoop.class);

    /** How late a new schedule may be looked at if its notification was lost. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(10);
    /** Maximum number of schedules that one transaction decides on. */
    private static final int BATCH_MAX = 250;
    /** How often to look for ticks of other workspaces while those that are due must wait for runs of their workspaces. */
    private static final Duration BUSY_INTERVAL = Duration.ofMillis(200);
    /** Time until a schedule is looked at again on which nothing could be decided. */
    private static final Duration POSTPONEMENT = Duration.ofMinutes(1);

    private final ScheduleStore schedules;
    private final BackfillStore backfills;
    private final TriggerStarts starts;
    private final IdSource ids;
    private final EventBus bus;
    private final Counter missed;
    private final Loop loop;

    private ScheduleLoop(Database database, TriggerStarts starts, IdSource ids, EventBus bus, Metrics metrics) {
        this.schedules = new ScheduleStore(database);
        this.backfills = new BackfillStore(database);
        this.starts = starts;
        this.ids = ids;
        this.bus = bus;
        this.missed = metrics.counter(
                "millrace_schedule_ticks_missed_total", "Ticks that were noticed later than their schedule catches up");
        this.loop = Loop.of("schedules", this::runOnce);
    }

    public static ScheduleLoop start(
            Database database, TriggerStarts starts, IdSource ids, EventBus bus, Metrics metrics) {
        ScheduleLoop schedules = new ScheduleLoop(database, starts, ids, bus, metrics);
        bus.subscribe(SchedulesChanged.class, _ -> schedules.wake());
        bus.subscribe(SchedulesChangedElsewhere.class, _ -> schedules.wake());
        bus.subscribe(NotificationsMissed.class, _ -> schedules.wake());
        schedules.loop.start();
        return schedules;
    }

    /** Looks for due schedules soon. */
    public void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        loop.close();
    }

    private Duration runOnce() {
        Duration next = schedules.untilNext().orElse(HEALING_INTERVAL);
        while (next.isZero() && !loop.isClosed()) {
            int seen;
            do {
                ScheduleStore.Fired fired =
                        schedules.fire(BATCH_MAX, starts.lines().busy(), this::decide);
                seen = fired.seen();
                fired.moves().forEach(this::announce);
                starts.finishAside(fired.noted(), loop::wake);
            } while (seen == BATCH_MAX && !loop.isClosed());
            List<ClaimedStart> filled = backfills.advance(ids::nextRun);
            starts.finishAside(new NotedStarts(filled, List.of()), loop::wake);
            next = schedules.untilNext().orElse(HEALING_INTERVAL);
            if (seen == 0 && filled.isEmpty()) {
                break;
            }
        }
        if (next.isZero() && !starts.lines().busy().isEmpty()) {
            // What is due is of workspaces that are busy, whose end wakes the loop.
            return BUSY_INTERVAL;
        }
        return next.compareTo(HEALING_INTERVAL) > 0 ? HEALING_INTERVAL : next.plusMillis(next.isZero() ? 20 : 0);
    }

    /** A schedule on which nothing can be decided delays no other one. */
    private ScheduleMove decide(DueSchedule due, Instant now) {
        try {
            return ScheduleMove.of(due, now, ids::nextRun);
        } catch (RuntimeException failure) {
            log.atError()
                    .addKeyValue("schedule", due.trigger().key().path())
                    .addKeyValue("retryAfter", POSTPONEMENT)
                    .setCause(failure)
                    .log("A schedule could not be read");
            return new ScheduleMove(
                    due.trigger(),
                    false,
                    List.of(),
                    Optional.empty(),
                    due.standing().nextTick(),
                    Optional.of(now.plus(POSTPONEMENT)),
                    due.standing().waiting(),
                    due.lastOccurrence());
        }
    }

    private void announce(ScheduleMove move) {
        move.missed().ifPresent(missed -> {
            Workspace workspace = move.trigger().key().workspace();
            log.atWarn()
                    .addKeyValue("workspace", workspace)
                    .addKeyValue("schedule", move.trigger().key().path())
                    .addKeyValue("ticks", missed.count())
                    .addKeyValue("from", missed.first())
                    .log("Ticks of a schedule were missed");
            this.missed.inc(missed.count());
            bus.publish(new EventsRecorded());
        });
    }
}
