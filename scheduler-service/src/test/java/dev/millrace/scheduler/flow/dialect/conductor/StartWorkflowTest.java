package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartWorkflowTest {
    private static WorkflowRun with(String startWorkflow, String input) {
        return WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "s", "taskReferenceName": "s", "type": "START_WORKFLOW", "inputParameters": {"startWorkflow": %s}},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {"id": "${s.output.workflowId}"}}]}
                """.formatted(startWorkflow), input);
    }

    @Test
    void startsWhatAnInputSays() {
        WorkflowRun run = with(
                "\"${workflow.input.start}\"",
                "{\"start\": {\"name\": \"my report\", \"version\": 1, \"correlationId\": \"c\", \"input\": {\"n\": 7}}}");
        assertThat(run.started("s").flow()).isEqualTo("my_report@1");
        assertThat(run.started("s").input().text()).isEqualTo("{\"n\": 7}");
        run.succeed("s", "{\"run_id\": \"r1\"}");
        assertThat(run.input("after")).isEqualTo("{\"id\":\"r1\"}");
    }

    @Test
    void startsWithAnEmptyInputIfNoneIsGiven() {
        assertThat(with("\"${workflow.input.start}\"", "{\"start\": {\"name\": \"report\"}}")
                        .started("s")
                        .input()
                        .text())
                .isEqualTo("{}");
    }

    @Test
    void startsAWorkflowWithAComputedName() {
        WorkflowRun run = with(
                "{\"name\": \"report_${workflow.input.kind}\", \"correlationId\": \"c\", \"input\": \"${workflow.input}\"}",
                "{\"kind\": \"daily\"}");
        assertThat(run.started("s").flow()).isEqualTo("report_daily");
        assertThat(run.started("s").input().text()).isEqualTo("{\"kind\": \"daily\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            null                                       | startWorkflow is null (expected: an object
            "report"                                   | startWorkflow is a string (expected: an object
            {"input": {}}                              | startWorkflow has no name
            {"name": " "}                              | startWorkflow has no name
            {"name": "a", "taskToDomain": {"*": "x"}}  | startWorkflow has "taskToDomain", which is not supported here.
            {"name": "a", "workflowDef": {"name": "x"}} | startWorkflow has "workflowDef", which is not supported here.
            """)
    void saysWhatIsWrong(String start, String message) {
        assertThat(with("\"${workflow.input.start}\"", "{\"start\": " + start + "}")
                        .failure())
                .contains(message);
    }
}
