package dev.millrace.scheduler.child;

/** Notes say that runs have ended for which others wait, or that nobody waits for them any more. */
public record ChildrenNoted() {}
