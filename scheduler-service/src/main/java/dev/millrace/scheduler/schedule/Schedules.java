package dev.millrace.scheduler.schedule;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.schedule.core.Timetable;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.DeclaredKind;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerSpec;
import dev.millrace.scheduler.trigger.TriggerStart;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.TriggerVersion;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.wake.SchedulesChanged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What people ask for about schedules. Blocking and thread-safe. */
public final class Schedules {
    /** Maximum number of ticks of a backfill. */
    static final int BACKFILL_TICKS_MAX = 10_000;

    private static final String INPUT_PREFIX = "run.input.";

    private final Triggers triggers;
    private final TriggerStarts starts;
    private final ScheduleStore store;
    private final BackfillStore backfills;
    private final IdSource ids;
    private final EventBus bus;

    public Schedules(
            Database database,
            Submissions submissions,
            StandingTokens tokens,
            TriggerStarts starts,
            IdSource ids,
            EventBus bus) {
        this.triggers = new Triggers(database, TriggerKind.SCHEDULE, new ScheduleRows(), submissions, tokens, ids);
        this.starts = starts;
        this.store = new ScheduleStore(database);
        this.backfills = new BackfillStore(database);
        this.ids = ids;
        this.bus = bus;
    }

    TriggerKey key(Workspace workspace, String path) {
        return triggers.key(workspace, path);
    }

    Schedule put(TriggerKey key, TriggerSpec spec, Access by) {
        return changed(namingTimeInput(spec, () -> triggers.put(key, spec, by)));
    }

    /** What the target says of the parameter with the time is about the setting that names the parameter. */
    private static Trigger namingTimeInput(TriggerSpec spec, Supplier<Trigger> change) {
        String parameter = ScheduleProtos.settings(spec.settings()).timeInput();
        try {
            return change.get();
        } catch (MillraceException refused) {
            if (refused.violations().stream().noneMatch(wrong -> wrong.field().equals(INPUT_PREFIX + parameter))) {
                throw refused;
            }
            throw MillraceException.invalid(refused.violations().stream()
                    .map(wrong -> wrong.field().equals(INPUT_PREFIX + parameter)
                            ? new FieldViolation("settings.time_input", wrong.description())
                            : wrong)
                    .toList());
        }
    }

    /** The schedules that the files of flows declare. */
    public DeclaredKind declared() {
        return new DeclaredKind(
                "schedules",
                triggers,
                DeclaredScheduleProtos::read,
                DeclaredKind.SettingsCheck.NONE,
                () -> bus.publish(new SchedulesChanged()));
    }

    Schedule get(TriggerKey key) {
        return standing(triggers.get(key));
    }

    /** The schedule as it was in one of its last versions, which has no next tick; 0 is the current one. */
    Schedule get(TriggerKey key, long version) {
        Trigger found = triggers.get(key, version);
        return version == 0 ? standing(found) : new Schedule(found, Optional.empty(), 0);
    }

    PageRequest.Page<Schedule> list(Workspace workspace, Access by, PageRequest page) {
        PageRequest.Page<Trigger> found = triggers.list(workspace, by, page);
        return new PageRequest.Page<>(store.standing(found.items()), found.nextToken());
    }

    /**
     * The next ticks.
     *
     * @param after absent for now
     */
    List<Instant> times(TriggerKey key, Optional<Instant> after, int count) {
        Timetable timetable = timetable(triggers.get(key));
        List<Instant> times = new ArrayList<>();
        Optional<Instant> next = timetable.next(after.orElseGet(store::now));
        while (next.isPresent() && times.size() < count) {
            times.add(next.get());
            next = timetable.next(next.get());
        }
        return times;
    }

    Schedule pause(TriggerKey key, Access by) {
        return changed(triggers.pause(key, by));
    }

    Schedule resume(TriggerKey key, Access by) {
        return changed(namingTimeInput(triggers.get(key).spec(), () -> triggers.resume(key, by)));
    }

    Schedule delete(TriggerKey key) {
        Schedule found = get(key);
        triggers.delete(key);
        return found;
    }

    /**
     * Starts a run now, also of a schedule that is paused.
     *
     * @param requestId a repeated one starts nothing; empty for none
     */
    TriggerStart trigger(TriggerKey key, String requestId) {
        Trigger trigger = triggers.get(key);
        Instant now = store.now();
        String occurrence =
                TickNames.manual(requestId.isEmpty() ? ids.nextUuid().toString() : requestId);
        ScheduleSettings settings = ScheduleProtos.settings(trigger.spec().settings());
        var _ = starts.start(List.of(NewStart.of(
                trigger,
                ids.nextRun(),
                occurrence,
                now,
                TickNames.input(trigger.spec().run(), settings.timeInput(), now))));
        return triggers.occurrence(trigger, occurrence)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.TRIGGER_NOT_FOUND, "The schedule " + key.path() + " was deleted meanwhile."));
    }

    /** Starts the runs of all ticks of a range, both ends included. */
    Backfill backfill(TriggerKey key, Instant from, Instant to, int parallelMax, Access by) {
        if (to.isBefore(from)) {
            throw MillraceException.invalid(
                    "to_time",
                    to + " is before the begin of the range, " + from + ": exchange the two times, or correct one");
        }
        Trigger trigger = triggers.get(key);
        Timetable timetable = timetable(trigger);
        Optional<Instant> first = timetable.next(from.minusNanos(1)).filter(tick -> !tick.isAfter(to));
        int total = 0;
        for (Optional<Instant> tick = first;
                tick.isPresent() && !tick.get().isAfter(to);
                tick = timetable.next(tick.get())) {
            if (++total > BACKFILL_TICKS_MAX) {
                throw MillraceException.invalid(
                        "to_time",
                        to + " makes a range with more than " + BACKFILL_TICKS_MAX
                                + " times of the schedule: ask for a shorter range");
            }
        }
        Instant begin = first.orElseThrow(() -> MillraceException.invalid(
                "from_time",
                from + " begins a range without a time of the schedule, which ends at " + to
                        + ": ask for another range"));
        Backfill backfill =
                new Backfill(ids.nextUuid(), from, to, parallelMax, total, 0, by.name(), store.now(), Optional.empty());
        CallSubject.note(key.path());
        if (!backfills.insert(trigger, backfill, begin)) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "The schedule " + key.path() + " has " + BackfillStore.BACKFILLS_MAX
                            + " backfills that have not ended, as many as it may have: wait for some of them.");
        }
        bus.publish(new SchedulesChanged());
        return backfill;
    }

    List<Backfill> backfills(TriggerKey key) {
        return backfills.list(triggers.get(key).id());
    }

    PageRequest.Page<TriggerStart> history(TriggerKey key, PageRequest page) {
        return triggers.history(key, page);
    }

    List<TriggerVersion> versions(TriggerKey key) {
        return triggers.versions(key);
    }

    private Schedule changed(Trigger trigger) {
        bus.publish(new SchedulesChanged());
        return standing(trigger);
    }

    private Schedule standing(Trigger trigger) {
        return store.standing(List.of(trigger)).getFirst();
    }

    private static Timetable timetable(Trigger trigger) {
        return ScheduleProtos.settings(trigger.spec().settings()).timetable();
    }
}
