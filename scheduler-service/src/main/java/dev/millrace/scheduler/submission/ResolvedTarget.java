package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.RunTarget;

/**
 * What a submission asks for, found.
 *
 * @param name for people
 */
record ResolvedTarget(RunTarget target, String name) {
    ResolvedTarget {
        requireNonNull(target, "target");
        requireNonNull(name, "name");
    }
}
