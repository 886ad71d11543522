package dev.millrace.scheduler.eventlog;

/** Event on the bus: a flush has stored events that readers may wait for. */
public record EventsRecorded() {}
