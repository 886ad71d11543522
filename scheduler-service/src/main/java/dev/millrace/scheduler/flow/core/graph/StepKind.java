package dev.millrace.scheduler.flow.core.graph;

/** What a step is. */
public enum StepKind {
    SCRIPT,
    HANDLER,
    FOR_EACH,
    SWITCH,
    WHILE,
    PARALLEL,
    WAIT,
    COMPUTE,
    SET_VARIABLES,
    TERMINATE,
    SUB_FLOW,
    START_RUN,
    CHILD_RUN,
    /** No step: voids all earlier rows at its key and below it, so that what stands there begins again. */
    RESET
}
