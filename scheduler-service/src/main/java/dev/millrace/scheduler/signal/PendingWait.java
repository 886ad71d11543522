package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * A step that waits for people, and its run.
 *
 * @param runName path of the flow that the run executes
 */
record PendingWait(RunId run, String runName, WaitView waiting) {}
