package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.Workspace;

/** The quotas that apply to runs which jobs start. */
@FunctionalInterface
public interface RunQuota {
    /** Takes a run from the quotas of its workspace and of whoever starts it, or fails. */
    void take(Access starter, Workspace workspace, long bytes);
}
