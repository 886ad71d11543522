package dev.millrace.scheduler.child;

import dev.millrace.scheduler.queue.core.ChildNoteKind;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * Something left to do about a run that another run waits for, or has waited for.
 *
 * @param stepKey key of the waiting step in the parent
 * @param waitId id of the queue row of that step; the row may be gone
 */
record ChildNote(RunId child, ChildNoteKind kind, RunId parent, String stepKey, JobId waitId) {}
