package dev.millrace.scheduler.wake;

/** Another scheduler has put jobs of this tag into the queue. */
public record JobsWaitElsewhere(String tag) {}
