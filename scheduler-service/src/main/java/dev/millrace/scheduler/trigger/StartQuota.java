package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.queue.core.Workspace;

/** The quotas that apply to runs which triggers start. */
@FunctionalInterface
public interface StartQuota {
    /** Takes a run from the quotas of its workspace and of whoever starts it, or fails. */
    void take(Access starter, Workspace workspace, long bytes);
}
