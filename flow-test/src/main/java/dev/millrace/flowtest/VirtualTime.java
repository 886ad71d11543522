package dev.millrace.flowtest;

import dev.millrace.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that jumps from one action to the next. Actions of the same moment happen in the order of their planning. */
final class VirtualTime {
    /** Most actions of one simulation. */
    static final int ACTIONS_MAX = 300_000;

    private final Instant begin;
    private Instant now;
    private long planned;
    private int done;
    private final PriorityQueue<Action> queue =
            new PriorityQueue<>(Comparator.comparing(Action::at).thenComparingLong(Action::number));

    private record Action(Instant at, long number, Runnable act) {}

    VirtualTime(Instant begin) {
        this.begin = begin;
        this.now = begin;
    }

    Instant now() {
        return now;
    }

    /** Virtual time since the begin. */
    Duration elapsed() {
        return Duration.between(begin, now);
    }

    /** Plans an action for a moment; one that has passed counts as now. */
    void at(Instant moment, Runnable act) {
        queue.add(new Action(moment.isBefore(now) ? now : moment, planned++, act));
    }

    void after(Duration delay, Runnable act) {
        at(now.plus(delay), act);
    }

    /** Returns whether something happens at the present moment yet. */
    boolean isBusy() {
        Action next = queue.peek();
        return next != null && !next.at().isAfter(now);
    }

    /**
     * Does the next action, and jumps to its moment. Returns false if there is none.
     *
     * @throws SimulationStopped if there were {@link #ACTIONS_MAX} actions
     */
    boolean advance() {
        Action next = queue.poll();
        if (next == null) {
            return false;
        }
        if (++done > ACTIONS_MAX) {
            throw new SimulationStopped(
                    "The flow has not ended after " + ACTIONS_MAX + " events and " + Durations.text(elapsed())
                            + " of virtual time, the limit of a test (ACTIONS_MAX). Does one of its loops never end?");
        }
        now = next.at();
        next.act().run();
        return true;
    }
}
