package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

/** A run that this scheduler has come to, and what became of it. */
record EndedItem(ClaimedItem item, ItemState state) {
    EndedItem {
        requireNonNull(item, "item");
        requireNonNull(state, "state");
    }
}
