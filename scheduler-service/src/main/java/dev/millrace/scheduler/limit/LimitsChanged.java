package dev.millrace.scheduler.limit;

import java.util.Set;

/** Event: queues of the limits with these tags may advance, or have grown. */
public record LimitsChanged(Set<String> tags) {}
