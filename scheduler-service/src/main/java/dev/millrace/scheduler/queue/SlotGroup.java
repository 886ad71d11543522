package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Room for jobs of certain tags on one worker.
 *
 * @param name unique within the worker
 * @param tags whose jobs it takes
 * @param slots jobs that may run at once
 * @param prefetch jobs that may wait on the worker beyond those
 */
public record SlotGroup(String name, List<String> tags, int slots, int prefetch) {
    /** Most slots, and most prefetched jobs, of one group. */
    public static final int SLOTS_MAX = 10_000;
    /** Most tags of one group. */
    public static final int TAGS_MAX = 1_000;

    public SlotGroup {
        requireNonNull(name, "name");
        tags = List.copyOf(tags);
        requireRange("slots", slots, SLOTS_MAX);
        requireRange("prefetch", prefetch, SLOTS_MAX);
        requireRange("tags", tags.size(), TAGS_MAX);
    }

    /** Jobs it may hold in all; none without a slot to run them. */
    public int capacity() {
        return slots == 0 ? 0 : slots + prefetch;
    }

    private static void requireRange(String field, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: 0 to " + max + ")");
        }
    }
}
