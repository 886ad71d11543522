package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.run.Run;

/** Runs by what starts them, as lists tell them apart. */
public enum KindOfRun {
    /** Runs that do what flows, scripts and handlers do. */
    WORK,
    /** Runs that deployments start, which prepare a script for its first job. */
    PREPARATION,
    /** All runs. */
    ALL;

    /** Whether a deployment has started the run. {@link KindOfRunRows} decides alike in SQL. */
    public static boolean isPreparation(Run run) {
        return run.kind() == JobKind.SCRIPT
                && (run.name().endsWith(" (packages)") || run.name().endsWith(" (schema)"));
    }
}
