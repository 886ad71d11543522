package dev.millrace.scheduler.wake;

/** Event: a tag was paused or resumed here; after the commit. */
public record PausesChanged() {}
