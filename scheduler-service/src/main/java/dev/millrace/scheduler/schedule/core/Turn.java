package dev.millrace.scheduler.schedule.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a schedule does when it is looked at: which of its due ticks start runs, and when it is looked at next.
 *
 * @param releases whether the tick that waits longest starts now
 * @param ticks what becomes of the due ticks, in their order
 * @param missed ticks that are too old to be caught up
 * @param nextTick the first tick that is not due; empty if there is none
 * @param waiting number of ticks that wait for the end of a run afterwards
 * @param wakeAt when there is something to do again; empty for never
 */
public record Turn(
        boolean releases,
        List<Tick> ticks,
        Optional<Missed> missed,
        Optional<Instant> nextTick,
        int waiting,
        Optional<Instant> wakeAt) {
    /** Maximum number of ticks of a schedule that one turn decides on. */
    public static final int TICKS_MAX = 100;
    /** Maximum number of ticks of a schedule that wait. */
    public static final int WAITING_MAX = 1_000;
    /** Missed ticks are counted up to this number. */
    public static final int MISSED_COUNTED_MAX = 1_000;
    /** How often a schedule with waiting ticks looks whether its run has ended. */
    static final Duration WAITING_INTERVAL = Duration.ofSeconds(1);

    public Turn {
        ticks = List.copyOf(ticks);
    }

    /** What becomes of a tick. */
    public enum Action {
        START,
        /** Starts, after the run in progress was canceled. */
        CANCEL_AND_START,
        WAIT,
        SKIP
    }

    /**
     * A tick that was decided on.
     *
     * @param reason why nothing starts; empty if something does
     */
    public record Tick(Instant time, Action action, String reason) {}

    /**
     * Ticks that are too old to be caught up.
     *
     * @param count number of ticks, {@link #MISSED_COUNTED_MAX} for that many and more
     */
    public record Missed(Instant first, Instant last, int count) {}

    /**
     * How a schedule stands.
     *
     * @param nextTick the first tick that was not decided on; empty if there is none
     * @param isRunning whether the newest run has not ended
     * @param waiting number of ticks that wait
     */
    public record Standing(Optional<Instant> nextTick, boolean isRunning, int waiting) {}

    /**
     * Decides on the ticks of a schedule that are due.
     *
     * @param seed tells schedules apart, so that their jitter differs
     */
    public static Turn at(Instant now, Standing standing, Timetable timetable, Conduct conduct, long seed) {
        List<Tick> ticks = new ArrayList<>();
        boolean releases = standing.waiting() > 0 && !standing.isRunning();
        boolean isRunning = standing.isRunning() || releases;
        int waiting = standing.waiting() - (releases ? 1 : 0);
        Optional<Missed> missed = missed(now.minus(conduct.catchUp()), standing.nextTick(), timetable);
        Optional<Instant> tick =
                missed.isPresent() ? timetable.next(now.minus(conduct.catchUp()).minusNanos(1)) : standing.nextTick();
        while (tick.isPresent()
                && ticks.size() < TICKS_MAX
                && !conduct.fireAt(tick.get(), seed).isAfter(now)) {
            Optional<Instant> following = timetable.next(tick.get());
            boolean isLast =
                    following.isEmpty() || conduct.fireAt(following.get(), seed).isAfter(now);
            Tick decided = decide(tick.get(), conduct.overlap(), isRunning, waiting, isLast);
            isRunning |= decided.action() == Action.START || decided.action() == Action.CANCEL_AND_START;
            waiting += decided.action() == Action.WAIT ? 1 : 0;
            ticks.add(decided);
            tick = following;
        }
        Optional<Instant> wakeAt = tick.map(next -> conduct.fireAt(next, seed));
        Instant look = now.plus(WAITING_INTERVAL);
        if (waiting > 0 && wakeAt.filter(time -> time.isBefore(look)).isEmpty()) {
            wakeAt = Optional.of(look);
        }
        return new Turn(releases, ticks, missed, tick, waiting, wakeAt);
    }

    private static Optional<Missed> missed(Instant oldest, Optional<Instant> nextTick, Timetable timetable) {
        if (nextTick.filter(tick -> tick.isBefore(oldest)).isEmpty()) {
            return Optional.empty();
        }
        Instant first = nextTick.get();
        Instant last = first;
        int count = 1;
        Optional<Instant> next = timetable.next(first);
        while (count < MISSED_COUNTED_MAX
                && next.filter(tick -> tick.isBefore(oldest)).isPresent()) {
            last = next.get();
            count++;
            next = timetable.next(last);
        }
        return Optional.of(new Missed(first, last, count));
    }

    private static Tick decide(Instant time, OverlapPolicy policy, boolean isRunning, int waiting, boolean isLast) {
        if (policy == OverlapPolicy.CANCEL_RUNNING && !isLast) {
            return new Tick(time, Action.SKIP, "A later tick was due, too.");
        }
        if (!isRunning) {
            return new Tick(time, Action.START, "");
        }
        return switch (policy) {
            case ALLOW -> new Tick(time, Action.START, "");
            case SKIP -> new Tick(time, Action.SKIP, "The run of an earlier tick has not ended.");
            case CANCEL_RUNNING -> new Tick(time, Action.CANCEL_AND_START, "");
            case BUFFER_ONE ->
                waiting == 0
                        ? new Tick(time, Action.WAIT, "")
                        : new Tick(time, Action.SKIP, "Another tick waits for the end of the run of an earlier tick.");
            case BUFFER_ALL ->
                waiting < WAITING_MAX
                        ? new Tick(time, Action.WAIT, "")
                        : new Tick(
                                time,
                                Action.SKIP,
                                WAITING_MAX + " ticks wait for the end of earlier runs, as many as may wait.");
        };
    }
}
