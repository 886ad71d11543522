package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;

/** One run of an operation on many, and what has become of it. */
record BulkItem(RunId run, ItemState state) {
    BulkItem {
        requireNonNull(run, "run");
        requireNonNull(state, "state");
    }
}
