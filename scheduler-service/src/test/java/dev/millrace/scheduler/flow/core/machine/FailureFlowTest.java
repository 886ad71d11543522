package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.graph.FailureFlowInput;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureFlowTest {
    private static final Json INPUT = new Json("{\"order\":7,\"reason\":\"its own\"}");

    @Test
    void receivesTheInputOfTheFailedRunAsInConductor() {
        JobError error = new JobError("E", "Step \"charge[2].card\" failed: declined", "", false);

        assertThat(inputOf(error, INPUT).text())
                .isEqualTo(("{\"order\":7,\"reason\":\"%1$s\",\"workflowId\":\"%2$s\",\"failureStatus\":\"FAILED\","
                                + "\"failureTaskId\":\"charge[2].card\",\"failedWorkflow\":{\"workflowId\":\"%2$s\","
                                + "\"workflowName\":\"orders\",\"workflowDefinition\":{\"name\":\"orders\"},"
                                + "\"status\":\"FAILED\",\"reasonForIncompletion\":\"%1$s\","
                                + "\"failedReferenceTaskNames\":[\"charge[2].card\"],"
                                + "\"input\":{\"order\":7,\"reason\":\"its own\"}}}")
                        .formatted("Step \\\"charge[2].card\\\" failed: declined", Flows.RUN));
    }

    @Test
    void saysThatTheRunTookTooLong() {
        JobError error = JobError.permanent("TimedOut", "The run took longer than its flow allows.");

        assertThat(inputOf(error, Json.EMPTY_OBJECT).text())
                .contains("\"failureStatus\":\"TIMED_OUT\",\"failedWorkflow\":", "\"failedReferenceTaskNames\":[]")
                .doesNotContain("failureTaskId");
    }

    @Test
    void anInnerWorkflowPassesItsOwnInput() {
        RunOfFlow run = new RunOfFlow(WorkflowRun.model("conductor", """
                {"name": "w", "tasks": [{"name": "s", "taskReferenceName": "s", "type": "SUB_WORKFLOW", "inputParameters": {"n": 1},
                  "subWorkflowParam": {"workflowDefinition": {"name": "x", "failureWorkflow": "tidy",
                    "tasks": [{"name": "a", "taskReferenceName": "a"}]}}}]}
                """, Set.of()), "{}");
        run.start();
        Decision failing = run.fail("s.~steps.a", "no luck");

        assertThat(failing.runs()).singleElement().satisfies(start -> {
            assertThat(start.flow()).isEqualTo("tidy");
            assertThat(start.input().text())
                    .startsWith("{\"n\":1,\"workflowId\":\"" + Flows.RUN
                            + "\",\"reason\":\"no luck\",\"failureStatus\":\"FAILED\",\"failureTaskId\":\"a\"")
                    .contains("\"failedReferenceTaskNames\":[\"a\"]", "\"input\":{\"n\":1}");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"$workflow.input.handler", "${workflow.input.handler}"})
    void itsNameMayBeAMemberOfTheInput(String name) {
        FlowModel model = WorkflowRun.model("conductor", """
                {"name": "w", "failureWorkflow": "%s", "failureWorkflowVersion": 3, "tasks": [{"name": "a", "taskReferenceName": "a"}]}
                """.formatted(name), Set.of());

        assertThat(started(model, "{\"handler\":\"tidy up\"}"))
                .map(RunEnding.FailureRun::flow)
                .contains("tidy_up@3");
        assertThat(started(model, "{}")).isEmpty();
        assertThat(started(model, "{\"handler\":7}")).isEmpty();
    }

    @Test
    void itsPathMayReadInputs() {
        FlowModel model = Flows.model("""
                inputs: {team: {type: string}}
                failure_flow: {flow: "tidy/${{ inputs.team }}", given: input}
                steps: [{id: a, value: 1}]
                """);

        assertThat(started(model, "{\"team\":\"blue\"}"))
                .map(RunEnding.FailureRun::flow)
                .contains("tidy/blue");
    }

    private static Optional<RunEnding.FailureRun> started(FlowModel model, String input) {
        return RunEnding.failureRun(
                model, Flows.RUN, new Json(input), new Outcome.Failed(JobError.permanent("E", "no luck")));
    }

    private static Json inputOf(JobError error, Json input) {
        return FailureFlowInput.of(FailureFlow.Given.INPUT, "orders", Flows.RUN, Failure.stepOf(error), error, input);
    }
}
