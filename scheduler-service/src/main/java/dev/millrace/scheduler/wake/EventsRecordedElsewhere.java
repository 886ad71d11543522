package dev.millrace.scheduler.wake;

/** Event: another scheduler has stored events that readers may wait for. */
public record EventsRecordedElsewhere() {}
