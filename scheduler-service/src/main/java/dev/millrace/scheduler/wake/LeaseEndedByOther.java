package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;

/** Another scheduler has ended this lease; its session may be connected to this one. */
public record LeaseEndedByOther(SessionId session, JobId job, String reason) {}
