package dev.millrace.scheduler.run.search;

/** Runs by what starts them, as lists tell them apart. */
public enum KindOfRun {
    /** Runs that do what flows, scripts and handlers do. */
    WORK,
    /** Runs that deployments start, which prepare a script for its first job. */
    PREPARATION,
    /** All runs. */
    ALL
}
