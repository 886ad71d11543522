package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Builds the input of a failure flow, for a failed run or for a failed flow inside a run. */
public final class FailureFlowInput {
    private static final String FAILED = "FAILED";
    private static final String TIMED_OUT = "TIMED_OUT";

    private FailureFlowInput() {}

    /**
     * Builds the input of the run that starts because another run has failed.
     *
     * @param step the step that failed; absent if the run failed without one
     * @param error of the failed run
     * @param input of the failed run
     */
    public static Json of(FailureFlow flow, RunId run, Optional<StepKey> step, JobError error, Json input) {
        return switch (flow.given()) {
            case FAILURE ->
                new Json("{\"run_id\":\"" + run + "\",\"error\":" + json(error) + ",\"input\":" + input.text() + "}");
            case INPUT -> {
                String status = step.isEmpty() && error.isTimeout() ? TIMED_OUT : FAILED;
                JsonValue task = JsonValue.ofString(step.map(StepKey::text).orElse(""));
                yield beside(JsonValue.of(input), run.toString(), error.message(), status, task)
                        .json();
            }
        };
    }

    private static String json(JobError error) {
        return "{\"name\":" + JsonValue.ofString(error.name()) + ",\"message\":" + JsonValue.ofString(error.message())
                + ",\"stack\":" + JsonValue.ofString(error.stack()) + "}";
    }

    private static JsonValue beside(JsonValue input, String run, String reason, String status, JsonValue task) {
        Map<String, JsonValue> members = new LinkedHashMap<>(input.members());
        members.put("workflowId", JsonValue.ofString(run));
        members.put("reason", JsonValue.ofString(reason));
        members.put("failureStatus", JsonValue.ofString(status));
        members.put("failureTaskId", task);
        return JsonValue.ofMembers(members);
    }

    /** The same input for a flow inside another flow, evaluated in the scope of the failed flow. */
    record Inside() implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            Map<String, JsonValue> error = scope.error().map(JsonValue::members).orElse(Map.of());
            return beside(
                    scope.inputs(),
                    scope.runId(),
                    error.getOrDefault("message", JsonValue.ofString("")).string(),
                    FAILED,
                    error.getOrDefault("step_id", JsonValue.NULL));
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
