package dev.millrace.scheduler.signal;

/** A wait began that ends by itself. */
public record TimedWaitBegan() {}
