package dev.millrace.scheduler.access;

/** Kinds of callers. */
public enum CallerKind {
    USER,
    SERVICE_ACCOUNT,
    WORKER,
    GATEWAY,
    /** Someone on the machine of a server that listens on loopback only. */
    LOCAL,
    /** Someone unknown, who may call only what is public. */
    ANONYMOUS
}
