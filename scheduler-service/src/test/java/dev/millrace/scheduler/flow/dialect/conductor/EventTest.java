package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventTest {
    @Test
    void publishesToATopicWhatConductorWould() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "version": 3, "tasks": [
                  {"name": "e", "taskReferenceName": "e", "type": "EVENT", "sink": "kafka:orders-${workflow.input.region}",
                   "inputParameters": {"id": 7}},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {"offset": "${e.output.offset}"}}]}
                """, "{\"region\": \"eu\"}");
        assertThat(run.input("e"))
                .startsWith(
                        "{\"topic\":\"orders-eu\",\"value\":{\"id\":7,\"sink\":\"kafka:orders-eu\",\"workflowInstanceId\":\"")
                .endsWith("\",\"workflowType\":\"w\",\"workflowVersion\":3,\"correlationId\":null,"
                        + "\"event_produced\":\"kafka:orders-eu\"}}");
        run.succeed("e", "{\"topic\": \"orders-eu\", \"partition\": 0, \"offset\": 5}");
        assertThat(run.input("after")).isEqualTo("{\"offset\":5}");
    }

    @Test
    void continuesAfterAnEventForEventHandlers() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "orders", "version": 3, "tasks": [
                  {"name": "e", "taskReferenceName": "e", "type": "EVENT", "sink": "conductor:paid-${workflow.input.region}",
                   "inputParameters": {"id": 7}, "taskDefinition": {"retryCount": 3}},
                  {"name": "f", "taskReferenceName": "f", "type": "EVENT", "sink": "conductor"},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {
                    "produced": "${e.output.event_produced}", "id": "${e.output.id}", "own": "${f.output.event_produced}"}}]}
                """, "{\"region\": \"eu\"}");
        assertThat(run.input("after"))
                .isEqualTo("{\"produced\":\"conductor:orders:paid-eu\",\"id\":7,\"own\":\"conductor:orders:f\"}");
        assertThat(run.result("e"))
                .contains("\"sink\":\"conductor:paid-eu\"", "\"workflowType\":\"orders\"", "\"workflowVersion\":3");
    }

    @Test
    void refusesATopicThatNamesAConnection() {
        Compilation compilation = FlowCompiler.compile(new FlowSource("w.json", Optional.of("conductor"), """
                {"name": "w", "version": 1, "tasks": [
                  {"name": "e", "taskReferenceName": "e", "type": "EVENT", "sink": "kafka:shop/kafka:orders"}]}
                """));
        assertThat(((Compilation.Rejected) compilation).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("\"sink\": \"kafka:orders\""));
    }
}
