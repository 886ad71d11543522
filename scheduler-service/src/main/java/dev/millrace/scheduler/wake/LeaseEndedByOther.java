package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;

/** Event: another scheduler has ended this lease, whose session may be connected to this scheduler. */
public record LeaseEndedByOther(SessionId session, JobId job, String reason) {}
