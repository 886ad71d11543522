package dev.millrace.scheduler.lane;

import java.util.Set;

/** Lines of limits, by their tags, may advance, or have grown. */
public record LimitsChanged(Set<String> tags) {}
