package dev.millrace.scheduler.lane;

import java.util.Set;

/** Event: jobs of these tags wait, and no worker of this scheduler took them, but other schedulers may have room. */
public record JobsWait(Set<String> tags) {}
