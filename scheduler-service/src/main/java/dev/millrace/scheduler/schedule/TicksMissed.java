package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.schedule.core.Turn;
import dev.millrace.scheduler.trigger.TriggerKey;

/** Ticks of a schedule were noticed too late, so their runs do not start. Others may alert on it. */
public record TicksMissed(TriggerKey schedule, Turn.Missed missed) {
    public TicksMissed {
        requireNonNull(schedule, "schedule");
        requireNonNull(missed, "missed");
    }
}
