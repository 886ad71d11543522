package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The capacity of a worker for jobs with certain tags.
 *
 * @param name unique within the worker
 * @param tags of the jobs that the group takes: those that the worker announces, and tags of workspaces made from them
 * @param slots number of jobs that may run at the same time
 * @param prefetch number of further jobs that may wait on the worker
 */
public record SlotGroup(String name, List<String> tags, int slots, int prefetch) {
    /** Maximum number of slots, and of prefetched jobs, in a group. */
    public static final int SLOTS_MAX = 10_000;
    /** Maximum number of tags of a group that a worker announces. */
    public static final int TAGS_MAX = 1_000;

    public SlotGroup {
        requireNonNull(name, "name");
        tags = List.copyOf(tags);
        requireRange("slots", slots, SLOTS_MAX);
        requireRange("prefetch", prefetch, SLOTS_MAX);
    }

    /** Number of jobs that the group may hold in total; 0 without slots. */
    public int capacity() {
        return slots == 0 ? 0 : slots + prefetch;
    }

    private static void requireRange(String field, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(field + ": " + value + " (expected: 0 to " + max + ")");
        }
    }
}
