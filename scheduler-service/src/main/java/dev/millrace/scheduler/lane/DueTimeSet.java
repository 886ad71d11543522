package dev.millrace.scheduler.lane;

/** A job was delayed, or a run got a deadline: something in the queue is due later. */
public record DueTimeSet() {}
