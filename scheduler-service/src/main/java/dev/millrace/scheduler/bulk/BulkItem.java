package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;

/** One run of a bulk operation, and its state there. */
record BulkItem(RunId run, ItemState state) {
    BulkItem {
        requireNonNull(run, "run");
        requireNonNull(state, "state");
    }
}
