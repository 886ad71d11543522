package dev.millrace.scheduler.lane;

/** Event: a job was delayed or a run got a time limit, so something in the queue is due later. */
public record DueTimeSet() {}
