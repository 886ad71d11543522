package dev.millrace.scheduler.signal;

/** Event: a wait has begun that ends by itself. */
public record TimedWaitBegan() {}
