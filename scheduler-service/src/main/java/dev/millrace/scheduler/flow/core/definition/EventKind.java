package dev.millrace.scheduler.flow.core.definition;

/** Who is expected. */
public enum EventKind {
    /** A program, by name. */
    SIGNAL,
    /** People who approve or deny. */
    APPROVAL,
    /** A person who does something and hands in the result. */
    HUMAN
}
