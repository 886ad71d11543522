package dev.millrace.scheduler.event;

/** Event on the bus: other workspaces are recorded, so every lane must flush soon to exchange its lock. */
public record RecordingLearned() {}
