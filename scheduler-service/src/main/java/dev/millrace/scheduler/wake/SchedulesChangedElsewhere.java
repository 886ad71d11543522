package dev.millrace.scheduler.wake;

/** Event: a schedule may be due earlier than expected, by a change on another scheduler. */
public record SchedulesChangedElsewhere() {}
