package dev.millrace.scheduler.flow.core.definition;

/** The kind of event that a wait expects. */
public enum EventKind {
    /** A signal, which a program sends by name. */
    SIGNAL,
    /** An approval or denial by people. */
    APPROVAL,
    /** A result that a person hands in. */
    HUMAN
}
