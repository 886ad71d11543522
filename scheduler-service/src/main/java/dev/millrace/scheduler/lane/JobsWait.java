package dev.millrace.scheduler.lane;

import java.util.Set;

/** Jobs of these tags wait, and no worker of this scheduler took them: other schedulers may have room. */
public record JobsWait(Set<String> tags) {}
