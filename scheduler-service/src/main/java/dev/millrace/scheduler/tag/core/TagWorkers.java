package dev.millrace.scheduler.tag.core;

import static java.util.Objects.requireNonNull;

/**
 * The connected workers that take jobs of a tag.
 *
 * @param workers number of workers
 * @param slots number of their slots; other tags may share them
 * @param faults why some of them take no jobs, each with the name of the worker; empty if all do
 */
public record TagWorkers(int workers, int slots, String faults) {
    public static final TagWorkers NONE = new TagWorkers(0, 0, "");

    public TagWorkers {
        requireNonNull(faults, "faults");
    }

    /** These workers and others. */
    public TagWorkers and(TagWorkers others) {
        return new TagWorkers(workers + others.workers, slots + others.slots, (faults + " " + others.faults).strip());
    }
}
