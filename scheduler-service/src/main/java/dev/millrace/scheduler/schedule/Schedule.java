package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.trigger.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule and where it stands.
 *
 * @param nextTick absent if there is none
 * @param waiting number of ticks that wait for the end of a run
 */
record Schedule(Trigger trigger, Optional<Instant> nextTick, int waiting) {
    Schedule {
        requireNonNull(trigger, "trigger");
        requireNonNull(nextTick, "nextTick");
    }
}
