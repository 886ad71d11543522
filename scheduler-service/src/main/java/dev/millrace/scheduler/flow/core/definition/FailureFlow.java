package dev.millrace.scheduler.flow.core.definition;

/** A flow that starts when another flow fails. */
public record FailureFlow(String path, Given given) {
    /** What the input of the failure flow consists of. */
    public enum Given {
        /** {@code {run_id, error, input}}. */
        FAILURE,
        /**
         * The input of the failed flow plus {@code workflowId}, {@code reason}, {@code failureStatus} and
         * {@code failureTaskId}, as Conductor passes them to a {@code failureWorkflow}.
         */
        INPUT
    }
}
