package dev.millrace.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.schedule.core.Conduct;
import dev.millrace.scheduler.schedule.core.Timetable;
import dev.millrace.scheduler.schedule.core.Timing;
import java.util.ArrayList;

/**
 * The settings of a schedule.
 *
 * @param timeInput name of the parameter of the input that gets the time of the tick; empty for none
 */
record ScheduleSettings(Timing timing, Conduct conduct, String timeInput) {
    ScheduleSettings {
        requireNonNull(timing, "timing");
        requireNonNull(conduct, "conduct");
        requireNonNull(timeInput, "timeInput");
    }

    /** The timetable of settings that were checked before they were stored. */
    Timetable timetable() {
        return Timetable.read(timing, new ArrayList<>())
                .orElseThrow(() -> new IllegalStateException("a stored timing cannot be read: " + timing));
    }
}
