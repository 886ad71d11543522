package dev.millrace.scheduler.lane;

/** Runs may stand in the queue that are to be started. */
public record RunsToStart() {}
