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
     * @param name of the flow that has failed; empty for a flow that is written inside another one
     * @param step the step that failed; absent if the run failed without one
     * @param error of the failed run
     * @param input of the failed run
     */
    public static Json of(
            FailureFlow.Given given, String name, RunId run, Optional<StepKey> step, JobError error, Json input) {
        return switch (given) {
            case FAILURE ->
                new Json("{\"run_id\":\"" + run + "\",\"error\":" + json(error) + ",\"input\":" + input.text() + "}");
            case INPUT -> {
                String status = step.isEmpty() && error.isTimeout() ? TIMED_OUT : FAILED;
                Failed failed = new Failed(name, run.toString(), error.message(), status, step.map(StepKey::text));
                yield failed.beside(JsonValue.of(input)).json();
            }
        };
    }

    private static String json(JobError error) {
        return "{\"name\":" + JsonValue.ofString(error.name()) + ",\"message\":" + JsonValue.ofString(error.message())
                + ",\"stack\":" + JsonValue.ofString(error.stack()) + "}";
    }

    /** A failed flow in the words of Conductor. */
    private record Failed(String name, String run, String reason, String status, Optional<String> task) {
        JsonValue beside(JsonValue input) {
            Map<String, JsonValue> members = new LinkedHashMap<>(input.members());
            members.put("workflowId", JsonValue.ofString(run));
            members.put("reason", JsonValue.ofString(reason));
            members.put("failureStatus", JsonValue.ofString(status));
            task.ifPresent(key -> members.put("failureTaskId", JsonValue.ofString(key)));
            members.put("failedWorkflow", workflow(input));
            return JsonValue.ofMembers(members);
        }

        /** What of Conductor's object the end of a run knows: its tasks are in the history only. */
        private JsonValue workflow(JsonValue input) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("workflowId", JsonValue.ofString(run));
            if (!name.isEmpty()) {
                members.put("workflowName", JsonValue.ofString(name));
                members.put("workflowDefinition", JsonValue.ofMembers(Map.of("name", JsonValue.ofString(name))));
            }
            members.put("status", JsonValue.ofString(status));
            members.put("reasonForIncompletion", JsonValue.ofString(reason));
            members.put(
                    "failedReferenceTaskNames",
                    JsonValue.of("["
                            + task.map(key -> JsonValue.ofString(key).text()).orElse("") + "]"));
            members.put("input", input);
            return JsonValue.ofMembers(members);
        }
    }

    /**
     * The same input for a flow inside another flow, evaluated in the scope of the failed flow.
     *
     * @param name of the failed flow
     */
    record Inside(String name) implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            Map<String, JsonValue> error = scope.error().map(JsonValue::members).orElse(Map.of());
            return new Failed(
                            name,
                            scope.runId(),
                            error.getOrDefault("message", JsonValue.ofString(""))
                                    .string(),
                            FAILED,
                            Optional.ofNullable(error.get("step_id"))
                                    .filter(step -> step.kind() == JsonValue.Kind.STRING)
                                    .map(JsonValue::string))
                    .beside(scope.inputs());
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
