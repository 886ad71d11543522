package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a history row says about the iterations around its step.
 *
 * @param key key of the step, with its mark
 * @param isReset whether the row voids earlier ones at its key and below
 * @param state how the step ended
 * @param started time when the step began to run, in milliseconds; absent if nothing ran
 */
record FoldRow(String key, boolean isReset, StepState state, long created, Optional<Long> started, long ended) {
    FoldRow {
        requireNonNull(key, "key");
        requireNonNull(state, "state");
        requireNonNull(started, "started");
    }

    /** Where the mark of the key begins; the length of the key if it has none. */
    int markAt() {
        int hash = key.lastIndexOf('#');
        boolean isMark =
                hash > 0 && key.charAt(hash - 1) != '.' && key.indexOf('.', hash) < 0 && key.indexOf('[', hash) < 0;
        return isMark ? hash : key.length();
    }

    /** Whether the row records something other than the end of the step. */
    boolean isMarked() {
        return markAt() < key.length();
    }
}
