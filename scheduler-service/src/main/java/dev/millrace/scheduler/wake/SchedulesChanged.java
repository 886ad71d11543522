package dev.millrace.scheduler.wake;

/** Event: a schedule may be due earlier than the loops of the schedulers expect. */
public record SchedulesChanged() {}
