package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;

/** Outputs of joins and dynamic forks that later tasks read. */
class JoinOutputTest {
    private static final String BRANCHES = """
            {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
              [{"name": "a", "taskReferenceName": "a", "%s": true}], [{"name": "b", "taskReferenceName": "b"}]
            ]},
            {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["a", "b"]}
            """;

    private static final String READING_THE_JOIN = """
            {"name": "w", "tasks": [%s,
              {"name": "after", "taskReferenceName": "after",
               "inputParameters": {"join": "${join.status}", "a": "${a.status}", "out": "${join.output}"}}
            ]}
            """;

    @Test
    void endsWithErrorsIfAnOptionalTaskFailed() {
        String definition = READING_THE_JOIN.formatted(BRANCHES.formatted("optional"));
        WorkflowRun failed = WorkflowRun.of("conductor", definition, "{}");
        failed.fail("a", "no").succeed("b", "{}");
        assertThat(failed.input("after"))
                .startsWith(
                        "{\"join\":\"COMPLETED_WITH_ERRORS\",\"a\":\"COMPLETED_WITH_ERRORS\",\"out\":{\"a\":{\"error\"");
        WorkflowRun well = WorkflowRun.of("conductor", definition, "{}");
        well.succeed("a", "{\"n\":1}").succeed("b", "{\"n\":2}");
        assertThat(well.input("after"))
                .isEqualTo("{\"join\":\"COMPLETED\",\"a\":\"COMPLETED\",\"out\":{\"a\":{\"n\":1},\"b\":{\"n\":2}}}");
    }

    @Test
    void endsWithErrorsIfAnOptionalTaskOfADynamicForkFailed() {
        WorkflowRun run = WorkflowRun.of("conductor", READING_THE_JOIN.formatted("""
                {"name": "a", "taskReferenceName": "a", "type": "FORK_JOIN_DYNAMIC", "optional": true,
                 "inputParameters": {"forkTaskName": "t", "forkTaskInputs": [1, 2]}},
                {"name": "join", "taskReferenceName": "join", "type": "JOIN"}
                """), "{}");
        run.fail("a[0]", "no").succeed("a[1]", "{}");
        assertThat(run.input("after")).startsWith("{\"join\":\"COMPLETED_WITH_ERRORS\",\"a\":\"COMPLETED\"");
    }

    @Test
    void failsIfAPermissiveTaskFailed() {
        WorkflowRun run =
                WorkflowRun.of("conductor", READING_THE_JOIN.formatted(BRANCHES.formatted("permissive")), "{}");
        run.fail("a", "no power");
        assertThat(run.live()).as("the join waits for all").containsExactly("b");
        run.succeed("b", "{}");
        assertThat(run.ended()).isTrue();
        assertThat(run.failure()).contains("no power");
    }

    @Test
    void leavesOutWhatHasNoOutput() {
        WorkflowRun run = WorkflowRun.of("conductor", READING_THE_JOIN.formatted(BRANCHES.formatted("optional")), "{}");
        run.succeed("a", "{}").succeed("b", "{\"n\":2}");
        assertThat(run.input("after")).endsWith("\"out\":{\"b\":{\"n\":2}}}");
    }

    @Test
    void numbersTheTasksInALoop() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "l", "taskReferenceName": "l", "type": "DO_WHILE", "loopCondition": "$.l.iteration < 2", "loopOver": [%s,
                    {"name": "c", "taskReferenceName": "c", "inputParameters": {"join": "${join.output}", "b": "${b.output.n}"}}]}],
                 "outputParameters": {"last": "${join.output}"}}
                """.formatted(BRANCHES.formatted("optional")), "{}");
        run.succeed("l[0].a", "{\"n\":1}").succeed("l[0].b", "{\"n\":2}");
        assertThat(run.input("l[0].c")).isEqualTo("{\"join\":{\"a__1\":{\"n\":1},\"b__1\":{\"n\":2}},\"b\":2}");
        run.succeed("l[0].c", "{}").succeed("l[1].a", "{\"n\":3}").succeed("l[1].b", "{\"n\":4}");
        assertThat(run.succeed("l[1].c", "{}").output())
                .isEqualTo("{\"last\":{\"a__2\":{\"n\":3},\"b__2\":{\"n\":4}}}");
    }

    private static String fork(String reference, String name) {
        return """
                {"name": "%s", "taskReferenceName": "%s", "type": "FORK_JOIN_DYNAMIC",
                 "inputParameters": {"forkTaskName": "%s", "forkTaskInputs": [1]}},
                {"name": "j", "taskReferenceName": "%s_join", "type": "JOIN"}
                """.formatted(reference, reference, name, reference);
    }

    @Test
    void namesTheTasksOfALaterDynamicForkAfterTheFork() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [%s, %s,
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {
                    "one": "${one_join.output}", "two": "${two_join.output}", "direct": "${_two_t_0.output.n} ${_t_0.output.n}",
                    "status": "${_t_0.status}"}}
                ]}
                """.formatted(fork("one", "t"), fork("two", "t")), "{}");
        run.succeed("one[0]", "{\"n\":1}").succeed("two[0]", "{\"n\":2}");
        assertThat(run.input("after"))
                .isEqualTo(
                        "{\"one\":{\"_t_0\":{\"n\":1}},\"two\":{\"_two_t_0\":{\"n\":2}},\"direct\":\"2 1\",\"status\":\"COMPLETED\"}");
    }

    @Test
    void namesTheTasksOfADynamicForkAfterItOnlyIfAnEarlierOneRan() {
        String definition = """
                {"name": "w", "tasks": [
                  {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                   "inputParameters": {"v": "${workflow.input.v}"}, "decisionCases": {"x": [%s]}},
                  %s]}
                """.formatted(fork("one", "t"), fork("two", "t"));
        WorkflowRun both = WorkflowRun.of("conductor", definition, "{\"v\":\"x\"}");
        assertThat(both.succeed("s.one[0]", "{}").succeed("two[0]", "{\"n\":2}").output())
                .isEqualTo("{\"_two_t_0\":{\"n\":2}}");
        WorkflowRun second = WorkflowRun.of("conductor", definition, "{\"v\":\"y\"}");
        assertThat(second.succeed("two[0]", "{\"n\":2}").output()).isEqualTo("{\"_t_0\":{\"n\":2}}");
    }

    @Test
    void namesTheTasksOfADynamicForkAfterItFromTheSecondIteration() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "l", "taskReferenceName": "l", "type": "DO_WHILE", "loopCondition": "$.l.iteration < 2", "loopOver": [%s,
                    {"name": "c", "taskReferenceName": "c", "inputParameters": {
                      "join": "${one_join.output}", "first": "${_t_0.output.n}", "later": "${_one_t_0.output.n}"}}]}]}
                """.formatted(fork("one", "t")), "{}");
        run.succeed("l[0].one[0]", "{\"n\":1}");
        assertThat(run.input("l[0].c")).isEqualTo("{\"join\":{\"_t_0__1\":{\"n\":1}},\"first\":1,\"later\":null}");
        run.succeed("l[0].c", "{}").succeed("l[1].one[0]", "{\"n\":2}");
        assertThat(run.input("l[1].c"))
                .startsWith("{\"join\":{\"_one_t_0__2\":{\"n\":2}}")
                .endsWith("\"later\":2}");
    }
}
