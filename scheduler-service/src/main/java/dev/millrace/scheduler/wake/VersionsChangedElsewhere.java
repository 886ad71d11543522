package dev.millrace.scheduler.wake;

/** Event: current versions of scripts or flows may have changed, by a change on another scheduler. */
public record VersionsChangedElsewhere() {}
