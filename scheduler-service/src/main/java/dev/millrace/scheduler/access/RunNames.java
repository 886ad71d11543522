package dev.millrace.scheduler.access;

import dev.millrace.scheduler.queue.core.RunRef;
import java.util.Optional;

/** Finds the names of runs, from which their folders follow. */
@FunctionalInterface
public interface RunNames {
    /** The name of the run; empty if there is no such run. Blocking. */
    Optional<String> findName(RunRef run);
}
