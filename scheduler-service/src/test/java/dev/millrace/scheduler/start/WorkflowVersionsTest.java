package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proto.run.v1.Run;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests versions of Conductor workflows, which have the numbers in their definitions. */
class WorkflowVersionsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    @BeforeAll
    static void deployVersions() {
        for (int version : new int[] {1, 3, 2}) {
            deployReport(version, "v" + version);
        }
        FLOWS.deploy("{millrace: v1, name: plain, steps: [{id: a, value: {said: plain}}]}");
    }

    private static void deployReport(int version, String said) {
        FLOWS.deploy("""
                {"name": "report", "version": %d, "tasks": [
                  {"name": "say", "taskReferenceName": "say", "type": "INLINE",
                   "inputParameters": {"evaluatorType": "value-param", "expression": "said", "said": "%s"}}],
                 "outputParameters": {"said": "${say.output.result}"}}
                """.formatted(version, said));
    }

    private static String sub(String param) {
        return """
                {"name": "outer", "version": 1, "tasks": [
                  {"name": "sub", "taskReferenceName": "sub", "type": "SUB_WORKFLOW", "subWorkflowParam": {%s}}],
                 "outputParameters": {"said": "${sub.output.said}"}}
                """.formatted(param);
    }

    private static String saidBy(String definition) {
        FLOWS.deploy(definition);
        return FLOWS.run("outer").getOutput().toStringUtf8();
    }

    @Test
    void runsTheNamedVersion() {
        assertThat(saidBy(sub("\"name\": \"report\", \"version\": 1"))).isEqualTo("{\"said\":\"v1\"}");
        assertThat(saidBy(sub("\"name\": \"report\", \"version\": 3"))).isEqualTo("{\"said\":\"v3\"}");
        assertThat(saidBy(sub("\"name\": \"report\"")))
                .as("without a number, the one that was deployed last")
                .isEqualTo("{\"said\":\"v2\"}");
        assertThat(saidBy(sub("\"name\": \"report\", \"version\": 0"))).isEqualTo("{\"said\":\"v2\"}");
    }

    @Test
    void runsTheNamedVersionOfAWorkflowWithAComputedName() {
        FLOWS.deploy(sub("\"name\": \"${workflow.input.name}\", \"version\": 3"));
        assertThat(FLOWS.run("outer", "{\"name\": \"report\"}").getOutput().toStringUtf8())
                .isEqualTo("{\"said\":\"v3\"}");
        Run missing = FLOWS.run("outer", "{\"name\": \"plain\"}");
        assertThat(missing.getError().getMessage()).contains("There is no flow plain@3 in workspace");
    }

    @Test
    void usesTheLatestDefinitionWithTheNumber() {
        deployReport(7, "first");
        deployReport(7, "second");
        deployReport(2, "v2");
        assertThat(saidBy(sub("\"name\": \"report\", \"version\": 7"))).isEqualTo("{\"said\":\"second\"}");
    }

    @Test
    void rejectsAVersionThatIsNotDeployed() {
        assertThatThrownBy(() -> FLOWS.deploy(sub("\"name\": \"report\", \"version\": 9")))
                .hasMessageContaining("Version 9 of the flow \"report\" is not deployed in workspace");
    }

    @Test
    void countsAFlowOfAnotherDialectAsTheFirstVersion() {
        assertThat(saidBy(sub("\"name\": \"plain\", \"version\": 1"))).isEqualTo("{\"said\":\"plain\"}");
    }

    @Test
    void rejectsAVersionThatRunsItself() {
        assertThatThrownBy(() -> FLOWS.deploy(sub("\"name\": \"outer\", \"version\": 1")))
                .hasMessageContaining("The flow \"outer\" would run itself");
    }

    @Test
    void startsTheNamedVersion() {
        FLOWS.deploy("""
                {"name": "starter", "tasks": [
                  {"name": "s", "taskReferenceName": "s", "type": "START_WORKFLOW",
                   "inputParameters": {"startWorkflow": {"name": "report", "version": "${workflow.input.v}"}}}],
                 "outputParameters": {"id": "${s.output.workflowId}"}}
                """);
        String output = FLOWS.run("starter", "{\"v\": 3}").getOutput().toStringUtf8();
        Run started = FLOWS.end(output.substring(7, output.length() - 2));
        assertThat(started.getOutput().toStringUtf8()).isEqualTo("{\"said\":\"v3\"}");
        assertThat(started.getName()).isEqualTo("report@3");
    }

    @Test
    void forksTheNamedVersion() {
        FLOWS.deploy("""
                {"name": "outer", "tasks": [
                  {"name": "f", "taskReferenceName": "f", "type": "FORK_JOIN_DYNAMIC",
                   "inputParameters": {"forkTaskWorkflow": "report", "forkTaskWorkflowVersion": "1", "forkTaskInputs": [{}]}},
                  {"name": "j", "taskReferenceName": "j", "type": "JOIN"}],
                 "outputParameters": {"said": "${_f_0.output.said}", "id": "${_f_0.output.subWorkflowId}", "all": "${j.output}"}}
                """);
        Run run = FLOWS.run("outer");
        assertThat(run.getOutput().toStringUtf8())
                .as("the steps of the workflow are those of the run")
                .isEqualTo(
                        "{\"said\":\"v1\",\"id\":\"%1$s\",\"all\":{\"_f_0\":{\"subWorkflowId\":\"%1$s\",\"said\":\"v1\"}}}"
                                .formatted(run.getId()));
    }
}
