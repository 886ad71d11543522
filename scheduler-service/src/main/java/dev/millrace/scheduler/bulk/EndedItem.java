package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

/** A claimed run with its final state. */
record EndedItem(ClaimedItem item, ItemState state) {
    EndedItem {
        requireNonNull(item, "item");
        requireNonNull(state, "state");
    }
}
