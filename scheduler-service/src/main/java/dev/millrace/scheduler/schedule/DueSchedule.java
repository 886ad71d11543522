package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.schedule.core.Turn;
import dev.millrace.scheduler.trigger.Trigger;
import java.util.Optional;

/**
 * A schedule that a scheduler looks at, with its row locked.
 *
 * @param lastOccurrence the newest occurrence that started a run by a tick
 * @param lastRun its run, while that has not ended
 * @param isPending whether that run is still to be accepted
 */
record DueSchedule(
        Trigger trigger,
        Turn.Standing standing,
        Optional<String> lastOccurrence,
        Optional<RunId> lastRun,
        boolean isPending) {
    DueSchedule {
        requireNonNull(trigger, "trigger");
        requireNonNull(standing, "standing");
        requireNonNull(lastOccurrence, "lastOccurrence");
        requireNonNull(lastRun, "lastRun");
    }
}
