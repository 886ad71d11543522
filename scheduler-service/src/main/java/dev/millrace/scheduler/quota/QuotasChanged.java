package dev.millrace.scheduler.quota;

/** Event: the quotas of a workspace or a token have changed on this scheduler. */
public record QuotasChanged() {}
