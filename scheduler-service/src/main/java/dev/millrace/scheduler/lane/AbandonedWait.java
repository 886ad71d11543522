package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/**
 * A step that waits for a run no longer.
 *
 * @param run that waits
 * @param stepKey empty for all steps of the run that do
 */
record AbandonedWait(RunId run, String stepKey) {
    static AbandonedWait all(RunId run) {
        return new AbandonedWait(run, "");
    }
}
