package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunId;

/** A run that this scheduler does an operation to, for a while nobody else does. */
record ClaimedItem(BulkId bulk, String workspace, RunId run, BulkAction action, OperationNote note) {}
