package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.SessionId;

/** Event: somebody wants to see a worker crash, whose session may be connected to any scheduler. */
public record WorkerKilled(SessionId session) {}
