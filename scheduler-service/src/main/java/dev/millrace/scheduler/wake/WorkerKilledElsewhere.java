package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.SessionId;

/** Event: a caller of another scheduler wants to see a worker crash, whose session may be connected to this scheduler. */
public record WorkerKilledElsewhere(SessionId session) {}
