package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.RunTarget;

/**
 * The target of a spec, resolved to a version.
 *
 * @param name name for people
 */
record ResolvedTarget(RunTarget target, String name) {
    ResolvedTarget {
        requireNonNull(target, "target");
        requireNonNull(name, "name");
    }
}
