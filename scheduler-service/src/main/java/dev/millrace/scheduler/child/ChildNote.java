package dev.millrace.scheduler.child;

import dev.millrace.scheduler.queue.core.ChildNoteKind;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * What is still to be done about a run that another one waits for, or waited for.
 *
 * @param stepKey of the parent, the step that waits or waited
 * @param waitId of the row in the queue that stands or stood for it
 */
record ChildNote(RunId child, ChildNoteKind kind, RunId parent, String stepKey, JobId waitId) {}
