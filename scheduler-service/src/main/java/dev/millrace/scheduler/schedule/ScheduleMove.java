package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.schedule.core.OverlapPolicy;
import dev.millrace.scheduler.schedule.core.Turn;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is to be written for a schedule.
 *
 * @param starts occurrences to note
 * @param lastOccurrence the newest of them that starts a run, or the one before
 */
record ScheduleMove(
        Trigger trigger,
        boolean releases,
        List<NewStart> starts,
        Optional<Turn.Missed> missed,
        Optional<Instant> nextTick,
        Optional<Instant> wakeAt,
        int waiting,
        Optional<String> lastOccurrence) {
    ScheduleMove {
        requireNonNull(trigger, "trigger");
        starts = List.copyOf(starts);
    }

    /** Decides on a schedule. */
    static ScheduleMove of(DueSchedule due, Instant now, Supplier<RunId> ids) {
        Trigger trigger = due.trigger();
        ScheduleSettings settings = ScheduleProtos.settings(trigger.spec().settings());
        if (due.isPending() && settings.conduct().overlap() == OverlapPolicy.CANCEL_RUNNING) {
            // A run that is not accepted yet cannot be canceled.
            return new ScheduleMove(
                    trigger,
                    false,
                    List.of(),
                    Optional.empty(),
                    due.standing().nextTick(),
                    Optional.of(now.plus(1, ChronoUnit.SECONDS)),
                    due.standing().waiting(),
                    due.lastOccurrence());
        }
        Turn turn = Turn.at(now, due.standing(), settings.timetable(), settings.conduct(), ScheduleRows.seed(trigger));
        List<NewStart> starts = new ArrayList<>();
        turn.missed().ifPresent(missed -> starts.add(missed(trigger, missed, ids.get())));
        Optional<String> last = due.lastOccurrence();
        for (Turn.Tick tick : turn.ticks()) {
            NewStart start = start(trigger, settings, tick, due.lastRun(), ids.get());
            starts.add(start);
            if (start.state() == StartState.CLAIMED) {
                last = Optional.of(start.occurrence());
            }
        }
        return new ScheduleMove(
                trigger, turn.releases(), starts, turn.missed(), turn.nextTick(), turn.wakeAt(), turn.waiting(), last);
    }

    private static NewStart start(
            Trigger trigger, ScheduleSettings settings, Turn.Tick tick, Optional<RunId> running, RunId id) {
        StartState state = switch (tick.action()) {
            case START, CANCEL_AND_START -> StartState.CLAIMED;
            case WAIT -> StartState.WAITING;
            case SKIP -> StartState.SKIPPED;
        };
        return new NewStart(
                trigger.id(),
                trigger.key().workspace(),
                id,
                TickNames.tick(tick.time()),
                tick.time(),
                state,
                running.filter(_ -> tick.action() == Turn.Action.CANCEL_AND_START),
                state == StartState.SKIPPED
                        ? Optional.empty()
                        : TickNames.input(trigger.spec().run(), settings.timeInput(), tick.time()),
                tick.reason());
    }

    private static NewStart missed(Trigger trigger, Turn.Missed missed, RunId id) {
        String count = missed.count() >= Turn.MISSED_COUNTED_MAX
                ? missed.count() + " ticks or more"
                : missed.count() + (missed.count() == 1 ? " tick" : " ticks");
        return new NewStart(
                trigger.id(),
                trigger.key().workspace(),
                id,
                TickNames.missed(missed.first()),
                missed.first(),
                StartState.MISSED,
                Optional.empty(),
                Optional.empty(),
                count + " from " + missed.first()
                        + " on were noticed later than the schedule catches up (`catch_up`): no"
                        + " scheduler was running, or the installation was behind.");
    }
}
