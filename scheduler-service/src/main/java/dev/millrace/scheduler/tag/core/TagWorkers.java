package dev.millrace.scheduler.tag.core;

import static java.util.Objects.requireNonNull;

/**
 * The connected workers that take jobs of a tag.
 *
 * @param workers number of workers
 * @param slots number of their slots; other tags may share them
 * @param absent those of them that take no jobs now
 */
public record TagWorkers(int workers, int slots, AbsentWorkers absent) {
    public static final TagWorkers NONE = new TagWorkers(0, 0, AbsentWorkers.NONE);

    public TagWorkers {
        requireNonNull(absent, "absent");
    }

    /** These workers and others. */
    public TagWorkers and(TagWorkers others) {
        return new TagWorkers(workers + others.workers, slots + others.slots, absent.and(others.absent));
    }
}
