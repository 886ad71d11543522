package dev.millrace.scheduler.child;

/** Event: there are new notes about child runs that have ended or that no parent waits for. */
public record ChildrenNoted() {}
