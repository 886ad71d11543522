package dev.millrace.scheduler.log;

import dev.millrace.scheduler.queue.core.Workspace;

/** Decides whether a workspace may store more log. Thread-safe. */
@FunctionalInterface
public interface LogAdmission {
    /** Whether so many bytes may be stored; otherwise they are to be dropped. Never waits. */
    boolean admits(Workspace workspace, long bytes);
}
