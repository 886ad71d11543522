package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Deadlines of runs in the database, whose clock decides whether they have passed. */
public interface DeadlineRows {
    /** Returns runs whose deadlines have passed, earliest deadline first; at most {@code max}. */
    List<RunId> passed(int max);

    /** Returns the time until the next deadline, zero if one has passed; empty if there is none. */
    Optional<Duration> untilNext();

    /** Forgets passed deadlines about which the lanes have decided. */
    void settle(Collection<RunId> runs);

    /** Moves passed deadlines into the future, to this time from now. */
    void postpone(Collection<RunId> runs, Duration time);
}
