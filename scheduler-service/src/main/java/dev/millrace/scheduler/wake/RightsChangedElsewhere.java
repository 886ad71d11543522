package dev.millrace.scheduler.wake;

/** Event: another scheduler has changed tokens, principals or roles. */
public record RightsChangedElsewhere() {}
