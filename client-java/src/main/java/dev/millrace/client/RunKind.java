package dev.millrace.client;

/** Runs by what starts them. */
public enum RunKind {
    /** Runs that do what flows, scripts and handlers do. */
    WORK,
    /** Runs that deployments start: they choose packages, check types and read signatures. */
    PREPARATION,
    ALL
}
