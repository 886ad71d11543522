package dev.millrace.scheduler.lane;

/** Event: the queue may contain pending runs that can start. */
public record RunsToStart() {}
