package dev.millrace.scheduler.explain.core;

/** Kinds of reasons. */
public enum Cause {
    RUNNING,
    NO_WORKER,
    SLOT,
    TIME,
    EVENTS,
    PAUSED,
    TIME_LIMIT,
    STARTING,
    NEEDS,
    LIMIT,
    CHILD_RUN,
    TAG_PAUSED
}
