package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunRef;

/** A run of a bulk operation that this scheduler has claimed. */
record ClaimedItem(BulkId bulk, RunRef run, BulkAction action, OperationNote note) {}
