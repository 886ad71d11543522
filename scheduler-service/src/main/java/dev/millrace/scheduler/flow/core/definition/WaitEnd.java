package dev.millrace.scheduler.flow.core.definition;

/** What the end of a wait without its event means. */
public enum WaitEnd {
    /** The step fails with {@code TimedOut} or {@code Denied}. */
    FAIL,
    /** The step succeeds, with {@code {"timed_out": true}} or {@code {"denied": true}} beside its result. */
    CONTINUE
}
