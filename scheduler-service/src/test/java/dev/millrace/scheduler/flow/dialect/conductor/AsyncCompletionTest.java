package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AsyncCompletionTest {
    private static WorkflowRun with(String task) {
        return WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"taskReferenceName": "h", "asyncComplete": true, %s},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {"h": "${h.output}", "status": "${h.status}"}}]}
                """.formatted(task), "{}");
    }

    private static WorkflowRun http(String settings) {
        return with(
                "\"name\": \"order\", \"type\": \"HTTP\", \"inputParameters\": {\"uri\": \"http://x/\", \"method\": \"GET\"}"
                        + settings);
    }

    private static StartWait.Until.Events signal(WorkflowRun run) {
        return (StartWait.Until.Events) run.waiting("h.h_completion");
    }

    @Test
    void waitsAfterARequestUntilItIsCompletedFromOutside() {
        WorkflowRun run = http("");
        assertThat(run.input("h.h_call")).startsWith("{\"url\":\"http://x/\",\"method\":\"GET\",");
        run.succeed("h.h_call", "{\"status\": 202, \"headers\": {}, \"body\": \"later\"}");
        assertThat(run.live()).isEmpty();
        assertThat(signal(run).kind()).isEqualTo(EventKind.SIGNAL);
        assertThat(signal(run).name()).isEqualTo("h");
        assertThat(signal(run).timeLimit()).isEmpty();
        run.succeed("h.h_completion", "{\"payload\": {\"paid\": true}, \"payloads\": [], \"approvers\": []}");
        assertThat(run.input("after"))
                .contains("\"paid\":true", "\"body\":\"later\"", "\"statusCode\":202", "\"status\":\"COMPLETED\"");
    }

    @Test
    void waitsAfterWorkersOfATypeThatIsNotKnown() {
        WorkflowRun run = with("\"name\": \"x\", \"type\": \"USER_TASK\"");
        run.succeed("h.h_call", "{\"ticket\": 7}");
        run.succeed("h.h_completion", "{\"payload\": {\"ticket\": 8}}");
        assertThat(run.input("after")).isEqualTo("{\"h\":{\"ticket\":8},\"status\":\"COMPLETED\"}");
    }

    @Test
    void waitsAfterAnEvent() {
        WorkflowRun run = with("\"name\": \"e\", \"type\": \"EVENT\", \"sink\": \"conductor\"");
        run.succeed("h.h_completion", "{\"payload\": null}");
        assertThat(run.input("after")).contains("\"event_produced\":\"conductor:w:h\"");
    }

    @Test
    void doesNotWaitForOrdinaryTasks() {
        assertThat(with("\"name\": \"x\", \"type\": \"SIMPLE\"").live()).containsExactly("h");
    }

    @Test
    void retriesTheRequestWithTheTask() {
        WorkflowRun run = http(
                ", \"retryCount\": 1, \"taskDefinition\": {\"retryDelaySeconds\": 0, \"timeoutSeconds\": 60, \"timeoutPolicy\": \"RETRY\"}");
        assertThat(run.options("h.h_call").retry().retriesMax()).isZero();
        run.succeed("h.h_call", "{\"status\": 202}");
        assertThat(signal(run).timeLimit()).contains(Duration.ofMinutes(1));
        run.fail("h.h_completion", "TimedOut", "too late");
        assertThat(run.live()).containsExactly("h.h_call");
        run.fail("h.h_call", "Refused", "no");
        assertThat(run.failure()).contains("no");
    }

    @Test
    void failsTheWorkflowIfATimeoutDoes() {
        WorkflowRun run =
                http(", \"retryCount\": 1, \"taskDefinition\": {\"retryDelaySeconds\": 0, \"timeoutSeconds\": 7200}");
        run.succeed("h.h_call", "{\"status\": 202}").fail("h.h_completion", "TimedOut", "too late");
        assertThat(run.failure()).contains("too late");
    }
}
