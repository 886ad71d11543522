package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.graph.FailureFlowInput;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FailureFlowTest {
    private static final FailureFlow AS_CONDUCTOR = new FailureFlow("tidy", FailureFlow.Given.INPUT);
    private static final Json INPUT = new Json("{\"order\":7,\"reason\":\"its own\"}");

    @Test
    void receivesTheInputOfTheFailedRunAsInConductor() {
        JobError error = new JobError("E", "Step \"charge[2].card\" failed: declined", "", false);

        assertThat(inputOf(error, INPUT).text())
                .isEqualTo("{\"order\":7,\"reason\":\"Step \\\"charge[2].card\\\" failed: declined\",\"workflowId\":\""
                        + Flows.RUN + "\",\"failureStatus\":\"FAILED\",\"failureTaskId\":\"charge[2].card\"}");
    }

    @Test
    void saysThatTheRunTookTooLong() {
        JobError error = JobError.permanent("TimedOut", "The run took longer than its flow allows.");

        assertThat(inputOf(error, Json.EMPTY_OBJECT).text())
                .contains("\"failureStatus\":\"TIMED_OUT\",\"failureTaskId\":\"\"");
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
                    .isEqualTo("{\"n\":1,\"workflowId\":\"" + Flows.RUN
                            + "\",\"reason\":\"no luck\",\"failureStatus\":\"FAILED\",\"failureTaskId\":\"a\"}");
        });
    }

    private static Json inputOf(JobError error, Json input) {
        return FailureFlowInput.of(AS_CONDUCTOR, Flows.RUN, Failure.stepOf(error), error, input);
    }
}
