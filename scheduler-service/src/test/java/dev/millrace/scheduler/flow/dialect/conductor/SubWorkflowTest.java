package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;

class SubWorkflowTest {
    private static final String INLINE = """
            {"name": "w", "tasks": [
              {"name": "a", "taskReferenceName": "a"},
              {"name": "sub", "taskReferenceName": "sub", "type": "SUB_WORKFLOW",
               "inputParameters": {"n": "${a.output.n}"},
               "subWorkflowParam": {"name": "inside", "workflowDefinition": {
                 "name": "inside", "version": 3, "inputTemplate": {"m": 4}, "variables": {"v": 5}, "tasks": [
                   {"name": "b", "taskReferenceName": "a", "inputParameters": {
                     "sum": "${workflow.input.n}+${workflow.input.m}+${workflow.variables.v}",
                     "type": "${workflow.workflowType}", "version": "${workflow.version}"}}],
                 "outputParameters": {"both": "${a.output.x}/${workflow.input.n}"}}}},
              {"name": "c", "taskReferenceName": "c", "inputParameters": {"a": "${a.output.n}", "sub": "${sub.output.both}"}}
            ]}
            """;

    @Test
    void runsAWorkflowThatIsDefinedInTheTask() {
        WorkflowRun run = WorkflowRun.of("conductor", INLINE, "{}");
        run.succeed("a", "{\"n\": 3}");
        assertThat(run.live()).containsExactly("sub.a");
        assertThat(run.input("sub.a")).isEqualTo("{\"sum\":\"3+4+5\",\"type\":\"inside\",\"version\":3}");
        run.succeed("sub.a", "{\"x\": 6}");
        assertThat(run.result("sub")).isEqualTo("{\"both\":\"6/3\"}");
        assertThat(run.input("c")).isEqualTo("{\"a\":3,\"sub\":\"6/3\"}");
    }

    @Test
    void givesTheIdOfTheRunThatHasItsSteps() {
        WorkflowRun run = WorkflowRun.of(
                "conductor",
                INLINE.replace("${sub.output.both}", "${sub.output.subWorkflowId} ${workflow.workflowId}"),
                "{}");
        run.succeed("a", "{}").succeed("sub.a", "{}");
        assertThat(run.input("c")).matches(".*\"sub\":\"([0-9a-f-]{36}) \\1\"}");
    }

    @Test
    void failsWithTheFailureInside() {
        WorkflowRun run = WorkflowRun.of("conductor", INLINE, "{}");
        run.succeed("a", "{\"n\": 3}");
        assertThat(run.fail("sub.a", "no").failure()).isEqualTo("Step \"sub.a\" failed: no");
    }
}
