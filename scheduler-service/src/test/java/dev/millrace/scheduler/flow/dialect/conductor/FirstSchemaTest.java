package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;

class FirstSchemaTest {
    @Test
    void readsPathsWithoutBrackets() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "schemaVersion": 1, "tasks": [
                  {"name": "a", "taskReferenceName": "a", "inputParameters": {"x": "workflow.input.n", "text": "no path", "n": 1.5}},
                  {"name": "b", "taskReferenceName": "b", "inputParameters": {"in": "a.input.x", "out": "a.output.y", "any": "a.result.y"}}],
                 "outputParameters": {"z": "b.output.z"}}
                """, "{\"n\": 7}");
        assertThat(run.input("a")).isEqualTo("{\"x\":7,\"text\":\"no path\",\"n\":1.5}");
        run.succeed("a", "{\"y\": 8}");
        assertThat(run.input("b")).isEqualTo("{\"in\":7,\"out\":8,\"any\":8}");
        assertThat(run.succeed("b", "{\"z\": 9}").output()).isEqualTo("{\"z\":9}");
    }

    @Test
    void leavesOtherVersionsAlone() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "schemaVersion": 2, "tasks": [
                  {"name": "a", "taskReferenceName": "a", "inputParameters": {"x": "workflow.input.n"}}]}
                """, "{\"n\": 7}");
        assertThat(run.input("a")).isEqualTo("{\"x\":\"workflow.input.n\"}");
    }
}
