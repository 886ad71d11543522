package dev.millrace.scheduler.wake;

/** Event: another scheduler has begun to record events for a workspace. */
public record RecordingChangedElsewhere() {}
