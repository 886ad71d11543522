package dev.millrace.scheduler.flow.core.definition;

/** A flow that is started once another one has failed. */
public record FailureFlow(String path, Given given) {
    /** What it is given. */
    public enum Given {
        /** {@code {run_id, error, input}}. */
        FAILURE,
        /** What Conductor gives a {@code failureWorkflow}: the input of the flow, with {@code workflowId}, {@code reason}, {@code failureStatus} and {@code failureTaskId} beside. */
        INPUT
    }
}
