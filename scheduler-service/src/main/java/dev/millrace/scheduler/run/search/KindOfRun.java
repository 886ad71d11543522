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

    /** Whether a deployment has started the run. */
    public static boolean isPreparation(Run run) {
        return isPreparation(run.kind(), run.name());
    }

    /**
     * Whether a root job is that of a preparation: its name is one that no script has. {@link KindOfRunRows} decides alike
     * in SQL.
     */
    public static boolean isPreparation(JobKind kind, String name) {
        return kind == JobKind.SCRIPT
                && (name.endsWith(" (packages)") || name.endsWith(" (types)") || name.endsWith(" (schema)"));
    }
}
