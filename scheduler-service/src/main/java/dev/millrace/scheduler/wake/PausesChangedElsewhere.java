package dev.millrace.scheduler.wake;

/** Event: another scheduler has paused or resumed a tag. */
public record PausesChangedElsewhere() {}
