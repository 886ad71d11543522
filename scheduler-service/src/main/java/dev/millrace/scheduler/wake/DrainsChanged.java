package dev.millrace.scheduler.wake;

/** Event: a worker was drained or resumed here, whose session may be connected to any scheduler; after the commit. */
public record DrainsChanged() {}
