package dev.millrace.scheduler.tag;

/** Event: jobs of tags that were paused may be leased again. */
public record TagsResumed() {}
