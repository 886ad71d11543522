package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;

/**
 * A flow that starts when another flow fails.
 *
 * @param path of the flow, a plain template over the inputs of the failed flow. If its value is no text, none starts
 */
public record FailureFlow(Template path, Given given) {
    /** What the input of the failure flow consists of. */
    public enum Given {
        /** {@code {run_id, error, input}}. */
        FAILURE,
        /**
         * The input of the failed flow plus {@code workflowId}, {@code reason}, {@code failureStatus},
         * {@code failureTaskId} and {@code failedWorkflow}, as Conductor passes them to a {@code failureWorkflow}.
         */
        INPUT
    }

    public FailureFlow {
        requireNonNull(given, "given");
        if (!path.isPlain()) {
            throw new IllegalArgumentException("The path of a failure flow is not plain.");
        }
    }

    /** The flow at a path. */
    public static FailureFlow at(String path, Given given) {
        return new FailureFlow(new Template.Constant(JsonValue.ofString(path)), given);
    }
}
