package dev.millrace.scheduler.access;

/** Event: this scheduler has changed tokens, principals or roles, so that what is remembered of tokens may be wrong. */
public record RightsChanged() {}
