package dev.millrace.scheduler.eventlog;

/** Event on the bus: this scheduler has begun to record for a workspace, and the others must follow. */
public record RecordingChanged() {}
