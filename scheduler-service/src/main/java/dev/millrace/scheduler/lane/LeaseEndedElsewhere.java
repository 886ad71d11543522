package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;

/** Event: a lease was ended whose session is not connected to this scheduler. */
public record LeaseEndedElsewhere(SessionId session, JobId job, String reason) {}
