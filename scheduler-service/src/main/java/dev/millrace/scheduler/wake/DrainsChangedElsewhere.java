package dev.millrace.scheduler.wake;

/** Event: another scheduler has drained or resumed a worker. */
public record DrainsChangedElsewhere() {}
