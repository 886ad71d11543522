package dev.millrace.scheduler.flow.core.definition;

/** How a step ends if its wait times out or is denied. */
public enum WaitEnd {
    /** The step fails with {@code TimedOut} or {@code Denied}. */
    FAIL,
    /** The step succeeds, with {@code {"timed_out": true}} or {@code {"denied": true}} beside its result. */
    CONTINUE
}
