package dev.millrace.scheduler.activity.core;

import java.time.Instant;

/** What happened in the minute that began then. */
public record ActivityMinute(Instant start, Activity activity) {}
