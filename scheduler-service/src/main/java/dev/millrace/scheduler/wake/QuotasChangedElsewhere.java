package dev.millrace.scheduler.wake;

/** Event: the quotas of a workspace or a token have changed on another scheduler. */
public record QuotasChangedElsewhere() {}
