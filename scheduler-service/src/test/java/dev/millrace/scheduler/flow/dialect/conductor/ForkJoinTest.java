package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ForkJoinTest {
    private static final String TWO_BRANCHES = """
            {"name": "w", "tasks": [
              {"name": "before", "taskReferenceName": "before"},
              {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                [{"name": "a", "taskReferenceName": "a1"}, {"name": "a", "taskReferenceName": "a2"}],
                [{"name": "b", "taskReferenceName": "b1"}]
              ]},
              {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": %s},
              {"name": "after", "taskReferenceName": "after"}
            ]}
            """;

    @Test
    void runsTheBranchesSideBySideAndJoinsTheirLastTasks() {
        WorkflowRun run = WorkflowRun.of("conductor", TWO_BRANCHES.formatted("[\"a2\", \"b1\"]"), "{}");
        assertThat(run.live()).containsExactly("before");
        run.succeed("before", "null");
        assertThat(run.live()).containsExactly("a1", "b1");
        run.succeed("b1", "{\"b\": 1}").succeed("a1", "{}");
        assertThat(run.live()).containsExactly("a2");
        run.succeed("a2", "7");
        assertThat(run.result("join")).isEqualTo("{\"a2\":{\"result\":7},\"b1\":{\"b\": 1}}");
        assertThat(run.live()).containsExactly("after");
        assertThat(run.succeed("after", "{\"done\": true}").output()).isEqualTo("{\"done\": true}");
    }

    @Test
    void continuesAtOnceIfAJoinWaitsForNothing() {
        WorkflowRun run = WorkflowRun.of("conductor", TWO_BRANCHES.formatted("[]"), "{}");
        run.succeed("before", "null");
        assertThat(run.live()).containsExactlyInAnyOrder("a1", "b1", "after");
        assertThat(run.result("join")).isEqualTo("{}");
        run.succeed("after", "{}").succeed("a1", "{}").succeed("b1", "{}");
        assertThat(run.ended()).as("the workflow waits for all branches").isFalse();
        assertThat(run.succeed("a2", "{}").output()).isEqualTo("{}");
    }

    @Test
    void letsABranchContinueThatIsNotJoined() {
        WorkflowRun run = WorkflowRun.of("conductor", TWO_BRANCHES.formatted("[\"b1\"]"), "{}");
        run.succeed("before", "null").succeed("b1", "{}");
        assertThat(run.live()).containsExactlyInAnyOrder("a1", "after");
    }

    @Test
    void endsAJoinEarlyIfItsScriptSaysSo() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "a", "taskReferenceName": "a"}], [{"name": "b", "taskReferenceName": "b"}],
                    [{"name": "c", "taskReferenceName": "c"}]
                  ]},
                  {"name": "two", "taskReferenceName": "two", "type": "JOIN", "joinOn": ["a", "b", "c"], "evaluatorType": "js",
                   "expression": "$.joinOn.filter(t => $[t].status === 'COMPLETED').length > 1 && ($.c.outputData.n.m, true)"},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {"a": "${a.output.n}", "b": "${b.status}"}}
                ]}
                """, "{}");
        run.succeed("a", "{\"n\": 1}");
        assertThat(run.live()).containsExactlyInAnyOrder("b", "c");
        run.succeed("c", "{\"n\": {}}");
        assertThat(run.result("two")).isEqualTo("{\"a\":{\"n\": 1},\"c\":{\"n\": {}}}");
        assertThat(run.input("after")).isEqualTo("{\"a\":1,\"b\":null}");
        run.succeed("after", "{}");
        assertThat(run.ended()).as("the workflow waits for all branches").isFalse();
        assertThat(run.succeed("b", "{}").output()).isEqualTo("{}");
    }

    @Test
    void endsTheJoinOfADynamicForkEarlyIfItsScriptSaysSo() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN_DYNAMIC",
                   "inputParameters": {"forkTaskName": "a", "forkTaskInputs": [1, 2, 3]}},
                  {"name": "two", "taskReferenceName": "two", "type": "JOIN", "evaluatorType": "js",
                   "expression": "$.joinOn.filter(t => $[t].status === 'COMPLETED').length > 1 && $._a_2.status !== 'IN_PROGRESS'"},
                  {"name": "after", "taskReferenceName": "after", "inputParameters": {"all": "${two.output}"}}
                ]}
                """, "{}");
        run.succeed("fork[0]", "{\"n\": 0}");
        assertThat(run.live()).containsExactlyInAnyOrder("fork[1]", "fork[2]");
        run.succeed("fork[2]", "7");
        assertThat(run.live()).containsExactlyInAnyOrder("fork[1]", "after");
        assertThat(run.input("after")).isEqualTo("{\"all\":{\"_a_0\":{\"n\": 0},\"_a_2\":{\"result\":7}}}");
        run.succeed("after", "{}");
        assertThat(run.ended()).as("the workflow waits for all tasks").isFalse();
        assertThat(run.succeed("fork[1]", "{}").output()).isEqualTo("{}");
    }

    @Test
    void evaluatesTheScriptOfADynamicForkUntilAllTasksHaveEnded() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN_DYNAMIC",
                   "inputParameters": {"forkTaskName": "a", "forkTaskInputs": [1, 2]}},
                  {"name": "join", "taskReferenceName": "join", "type": "JOIN",
                   "expression": "({status: 'COMPLETED', outputData: {sum: $._a_0.outputData.n.v + $._a_1.outputData.n.v}})"}
                ]}
                """, "{}");
        run.succeed("fork[0]", "{\"n\": {\"v\": 1}}");
        assertThat(run.live()).containsExactly("fork[1]");
        assertThat(run.succeed("fork[1]", "{\"n\": {\"v\": 2}}").output()).isEqualTo("{\"sum\":3}");
    }

    private static final String FORKED = """
            {"name": "w", "taskDefs": [{"name": "known", "retryCount": 7, "responseTimeoutSeconds": 8}], "tasks": [
              {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN_DYNAMIC", "retryCount": 4,
               "taskDefinition": {"retryDelaySeconds": 1, "responseTimeoutSeconds": 9},
               "inputParameters": {"tasks": "${workflow.input.tasks}", "inputs": {}},
               "dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"},
              {"name": "join", "taskReferenceName": "join", "type": "JOIN",
               "expression": "$.joinOn.every(t => $[t].status !== 'IN_PROGRESS') && ({status: 'COMPLETED', outputData: {all: $.joinOn.map(t => $[t].status)}})"}
            ]}
            """;

    private static WorkflowRun forked(String... tasks) {
        return WorkflowRun.of("conductor", FORKED, "{\"tasks\": [" + String.join(", ", tasks) + "]}");
    }

    private static String task(int number) {
        return "fork[" + number + "].fork_task.fork_job";
    }

    @Test
    void retriesForkedTasksAsTheirSettingsSay() {
        WorkflowRun run = forked(
                "{\"taskReferenceName\": \"plain\"}",
                "{\"taskReferenceName\": \"own\", \"retryCount\": 2}",
                "{\"taskReferenceName\": \"named\", \"name\": \"known\"}",
                "{\"taskReferenceName\": \"both\", \"name\": \"known\", \"retryCount\": 0, "
                        + "\"taskDefinition\": {\"timeoutSeconds\": 3, \"concurrentExecLimit\": 5}}");
        assertThat(IntStream.range(0, 4)
                        .mapToObj(i -> run.options(task(i)).retry().retriesMax()))
                .containsExactly(4, 2, 7, 0);
        assertThat(IntStream.range(0, 4)
                        .mapToObj(i -> run.options(task(i)).timeout().toSeconds()))
                .containsExactly(9L, 9L, 8L, 3L);
        assertThat(run.options(task(1)).retry().delayBefore(1, 1)).isEqualTo(Duration.ofMinutes(1));
        assertThat(run.options(task(2)).limit()).isEmpty();
        assertThat(run.options(task(3)).limit()).contains(new JobLimit("known", OptionalInt.of(5), Optional.empty()));
    }

    @Test
    void continuesAfterAnOptionalForkedTaskHasFailed() {
        WorkflowRun run =
                forked("{\"taskReferenceName\": \"a\", \"optional\": true}", "{\"taskReferenceName\": \"b\"}");
        run.fail(task(0), "no");
        assertThat(run.live()).containsExactly(task(1));
        assertThat(run.succeed(task(1), "{}").output())
                .isEqualTo("{\"all\":[\"COMPLETED_WITH_ERRORS\",\"COMPLETED\"]}");
    }

    @Test
    void failsWithAForkedTaskThatIsNotOptionalBesideOneThatIs() {
        WorkflowRun run =
                forked("{\"taskReferenceName\": \"a\", \"optional\": true}", "{\"taskReferenceName\": \"b\"}");
        assertThat(run.fail(task(0), "no").fail(task(1), "really").failure()).contains(task(1), "really");
    }

    @Test
    void toleratesFailuresOfOptionalForkedTasksOfAllKinds() {
        WorkflowRun run = forked(
                "{\"taskReferenceName\": \"a\", \"optional\": true, \"type\": \"INLINE\", \"inputParameters\": {}}",
                "{\"taskReferenceName\": \"b\", \"optional\": true, \"type\": \"WAIT\", \"inputParameters\": {\"duration\": \"soon\"}}");
        assertThat(run.output()).isEqualTo("{\"all\":[\"COMPLETED_WITH_ERRORS\",\"COMPLETED_WITH_ERRORS\"]}");
    }

    @Test
    void failsAForkWhoseTaskHasASettingThatIsNotValid() {
        assertThat(forked("{\"taskReferenceName\": \"a\", \"retryCount\": -1}").failure())
                .isEqualTo(
                        "Step \"fork\" failed: The list of items could not be resolved. Task \"a\" of the dynamic fork is"
                                + " not valid at retryCount. retryCount is -1 (expected: a whole number from 0 to 2147483647)."
                                + " Write a whole number from 0 to 2147483647.");
    }

    @Test
    void evaluatesAScriptAgainThatMissesAnOutput() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "a", "taskReferenceName": "a"}], [{"name": "b", "taskReferenceName": "b"}]
                  ]},
                  {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["a", "b"],
                   "expression": "({status: 'COMPLETED', outputData: {sum: $.a.outputData.n.v + $.b.outputData.n.v}})"}
                ]}
                """, "{}");
        run.succeed("a", "{\"n\": {\"v\": 1}}");
        assertThat(run.live()).containsExactly("b");
        assertThat(run.succeed("b", "{\"n\": {\"v\": 2}}").output()).isEqualTo("{\"sum\":3}");
    }

    @Test
    void waitsForNoMoreThanTheTaskThatDecidesAnExclusiveJoin() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                      "inputParameters": {"v": "x"}, "decisionCases": {"y": [{"name": "a", "taskReferenceName": "a"}]}}],
                    [{"name": "b", "taskReferenceName": "b"}], [{"name": "c", "taskReferenceName": "c"}]
                  ]},
                  {"name": "none", "taskReferenceName": "none", "type": "JOIN"},
                  {"name": "one", "taskReferenceName": "one", "type": "EXCLUSIVE_JOIN", "joinOn": ["a", "b"],
                   "defaultExclusiveJoinTask": ["c"]}
                ]}
                """, "{}");
        run.succeed("b", "{\"b\": 1}");
        assertThat(run.result("one")).isEqualTo("{\"b\": 1}");
        assertThat(run.succeed("c", "{}").output()).isEqualTo("{\"b\": 1}");
    }

    @Test
    void joinsOnATaskInsideASwitch() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                      "inputParameters": {"v": "x"}, "decisionCases": {"x": [{"name": "a", "taskReferenceName": "a"}]}}],
                    [{"name": "b", "taskReferenceName": "b"}]
                  ]},
                  {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["s", "b"]}
                ]}
                """, "{}");
        assertThat(run.live()).containsExactlyInAnyOrder("s.a", "b");
        run.succeed("s.a", "{\"a\": 1}").succeed("b", "{}");
        assertThat(run.output()).isEqualTo("{\"s\":{\"evaluationResult\":[\"x\"],\"selectedCase\":\"x\"}}");
    }

    @Test
    void nestsForksInOneList() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "f1", "taskReferenceName": "f1", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "f2", "taskReferenceName": "f2", "type": "FORK_JOIN", "forkTasks": [
                       [{"name": "a", "taskReferenceName": "a"}], [{"name": "b", "taskReferenceName": "b"}]]},
                     {"name": "j2", "taskReferenceName": "j2", "type": "JOIN", "joinOn": ["a", "b"]}],
                    [{"name": "c", "taskReferenceName": "c"}]
                  ]},
                  {"name": "j1", "taskReferenceName": "j1", "type": "JOIN", "joinOn": ["j2", "c"]}
                ]}
                """, "{}");
        assertThat(run.live()).containsExactlyInAnyOrder("a", "b", "c");
        run.succeed("a", "1").succeed("c", "3").succeed("b", "2");
        assertThat(run.output()).isEqualTo("{\"j2\":{\"a\":{\"result\":1},\"b\":{\"result\":2}},\"c\":{\"result\":3}}");
    }

    @Test
    void letsTheSiblingsOfAFailedTaskFinishAndFails() {
        WorkflowRun run = WorkflowRun.of("conductor", TWO_BRANCHES.formatted("[\"a2\", \"b1\"]"), "{}");
        run.succeed("before", "null").fail("a1", "no");
        assertThat(run.ended()).isFalse();
        assertThat(run.succeed("b1", "{}").failure()).contains("a1").contains("no");
    }

    private static final String SCRIPTED = """
            {"name": "w", "tasks": [
              {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                [{"name": "a", "taskReferenceName": "a", "optional": true}], [{"name": "b", "taskReferenceName": "b"}]]},
              {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["a", "b"],
               "inputParameters": {"p": 1}, "expression": "SCRIPT"}
            ]}
            """;

    private static WorkflowRun scripted(String script) {
        WorkflowRun run = WorkflowRun.of("conductor", SCRIPTED.replace("SCRIPT", script), "{}");
        return run.fail("a", "no").succeed("b", "{\"n\": 2}");
    }

    @Test
    void endsAJoinAsItsScriptSays() {
        assertThat(scripted("$.a.status + $.b.status === 'COMPLETED_WITH_ERRORSCOMPLETED'")
                        .output())
                .endsWith(",\"b\":{\"n\": 2}}");
        assertThat(scripted(
                                "$.b.status === 'COMPLETED' && {status: 'COMPLETED', outputData: {all: $.joinOn, n: $.b.outputData.n + $.p}}")
                        .output())
                .isEqualTo("{\"all\":[\"a\",\"b\"],\"n\":3}");
        assertThat(scripted("(() => ({status: 'FAILED', reasonForIncompletion: $.a.outputData.error.message}))()")
                        .failure())
                .isEqualTo(
                        "Step \"join\" failed: The value could not be resolved. The script of the join ended it as FAILED: no");
    }

    @Test
    void failsIfAScriptLeavesAJoinOpenForever() {
        String message =
                "Step \"join\" failed: The value could not be resolved. The script leaves the join open although "
                        + "all tasks of joinOn have ended, so nothing can end it";
        assertThat(scripted("false").failure()).isEqualTo(message + ".");
        assertThat(scripted("(() => ({status: 'IN_PROGRESS', reasonForIncompletion: 'Pending'}))()")
                        .failure())
                .isEqualTo(message + ": Pending");
    }
}
