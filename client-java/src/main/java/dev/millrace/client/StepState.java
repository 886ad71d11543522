package dev.millrace.client;

/** State of a step. */
public enum StepState {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    SKIPPED
}
