package dev.millrace.scheduler.flow.core;

/** What a step is. */
public enum StepKind {
    SCRIPT,
    HANDLER,
    FOR_EACH,
    SWITCH
}
