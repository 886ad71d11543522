package dev.millrace.scheduler.wake;

/** Event: another scheduler has enqueued jobs of this tag. */
public record JobsWaitElsewhere(String tag) {}
