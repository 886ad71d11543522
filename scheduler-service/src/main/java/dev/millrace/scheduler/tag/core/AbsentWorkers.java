package dev.millrace.scheduler.tag.core;

import static java.util.Objects.requireNonNull;

/**
 * The connected workers that would take jobs of a tag, but take none now.
 *
 * @param faults why some have paused, each with the name of the worker; empty if none has
 * @param drained names of those that somebody drains, each in quotation marks; empty if nobody drains any
 */
public record AbsentWorkers(String faults, String drained) {
    public static final AbsentWorkers NONE = new AbsentWorkers("", "");

    public AbsentWorkers {
        requireNonNull(faults, "faults");
        requireNonNull(drained, "drained");
    }

    public boolean isEmpty() {
        return faults.isEmpty() && drained.isEmpty();
    }

    /** These workers and others. */
    AbsentWorkers and(AbsentWorkers others) {
        return new AbsentWorkers(
                (faults + " " + others.faults).strip(),
                drained.isEmpty() || others.drained.isEmpty()
                        ? drained + others.drained
                        : drained + ", " + others.drained);
    }

    /**
     * Says why these workers take no jobs, and what helps, in full sentences.
     *
     * @param workers who they are, such as "Some workers"
     */
    public String text(String workers) {
        String paused = faults.isEmpty() ? "" : "have paused because of a fault. " + faults;
        String resume = drained + ". Resume one with `millrace workers resume WORKER`.";
        if (drained.isEmpty()) {
            return workers + " " + paused;
        }
        return faults.isEmpty()
                ? workers + " are drained: " + resume
                : workers + " are drained or " + paused + " Drained: " + resume;
    }
}
