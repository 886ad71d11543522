package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwitchTest {
    private static final String BY_PARAMETER = """
            {"name": "w", "tasks": [
              {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
               "inputParameters": {"v": %s},
               "decisionCases": {
                 "1": [{"name": "one", "taskReferenceName": "one"}],
                 "true": [{"name": "yes", "taskReferenceName": "yes"}],
                 "empty": []
               },
               "defaultCase": [{"name": "other", "taskReferenceName": "other"}]},
              {"name": "after", "taskReferenceName": "after"}
            ]}
            """;

    private static WorkflowRun with(String value) {
        return WorkflowRun.of("conductor", BY_PARAMETER.formatted(value), "{}");
    }

    @Test
    void comparesTheValueAsAText() {
        assertThat(with("1").live()).containsExactly("s.one");
        assertThat(with("\"1\"").live()).containsExactly("s.one");
        assertThat(with("true").live()).containsExactly("s.yes");
    }

    @Test
    void runsNothingForAMatchingCaseWithoutTasks() {
        assertThat(with("\"empty\"").live()).containsExactly("after");
    }

    @Test
    void runsTheDefaultIfNoCaseMatches() {
        assertThat(with("\"2\"").live()).containsExactly("s.other");
        assertThat(with("null").live()).containsExactly("s.other");
    }

    @Test
    void tellsWhichCaseItHasTaken() {
        String definition = BY_PARAMETER.replace(
                "\"taskReferenceName\": \"after\"",
                "\"taskReferenceName\": \"after\", \"inputParameters\": {\"all\": \"${s.output}\", \"one\": \"${s.output.selectedCase}\"}");
        WorkflowRun run = WorkflowRun.of("conductor", definition.formatted("1"), "{}");
        run.succeed("s.one", "{}");
        assertThat(run.input("after"))
                .isEqualTo("{\"all\":{\"evaluationResult\":[\"1\"],\"selectedCase\":\"1\"},\"one\":\"1\"}");
    }

    private static final String DECISION = """
            {"name": "w", "tasks": [
              {"name": "d", "taskReferenceName": "d", "type": "DECISION", "caseExpression": "$.n > 1 ? 'many' : 'few'",
               "inputParameters": {"n": %s},
               "decisionCases": {"many": [{"name": "a", "taskReferenceName": "a"}], "few": []},
               "defaultCase": [{"name": "b", "taskReferenceName": "b"}]},
              {"name": "after", "taskReferenceName": "after",
               "inputParameters": {"all": "${d.output}", "one": "${d.output.caseOutput[0]}"}}
            ]}
            """;

    @Test
    void tellsWhatADecisionHasCompared() {
        WorkflowRun run = WorkflowRun.of("conductor", DECISION.formatted("2"), "{}");
        run.succeed("d.a", "{}");
        assertThat(run.input("after")).isEqualTo("{\"all\":{\"caseOutput\":[\"many\"]},\"one\":\"many\"}");
    }

    @Test
    void runsTheDefaultOfADecisionForAMatchingCaseWithoutTasks() {
        WorkflowRun run = WorkflowRun.of("conductor", DECISION.formatted("1"), "{}");
        assertThat(run.live()).containsExactly("d.b");
        run.succeed("d.b", "{}");
        assertThat(run.input("after")).isEqualTo("{\"all\":{\"caseOutput\":[\"few\"]},\"one\":\"few\"}");
    }

    @Test
    void continuesWithoutAMatchAndADefault() {
        String definition =
                BY_PARAMETER.formatted("9").replace("\"defaultCase\"", "\"description\": \"\", \"defaultCase\"");
        WorkflowRun run = WorkflowRun.of(
                "conductor",
                definition.replace("[{\"name\": \"other\", \"taskReferenceName\": \"other\"}]", "[]"),
                "{}");
        assertThat(run.live()).containsExactly("after");
    }

    @Test
    void givesTheOutputOfTheLastTaskOfTheBranchAsThatOfTheWorkflow() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "tasks": [
                  {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                   "inputParameters": {"v": "x"}, "decisionCases": {"x": [{"name": "a", "taskReferenceName": "a"}]}}
                ]}
                """, "{}");
        assertThat(run.succeed("s.a", "5").output()).isEqualTo("{\"result\":5}");
    }

    /** The variable has changed by the time the output is read. */
    @Test
    void keepsItsValueIfThatDependsOnVariables() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "variables": {"v": "x"}, "tasks": [
                  {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                   "inputParameters": {"v": "${workflow.variables.v}"}, "decisionCases": {"x": [
                     {"name": "set", "taskReferenceName": "set", "type": "SET_VARIABLE", "inputParameters": {"v": "y"}},
                     {"name": "a", "taskReferenceName": "a", "inputParameters": {"inside": "${s.output.evaluationResult}"}}]}},
                  {"name": "b", "taskReferenceName": "b", "inputParameters": {"after": "${s.output.evaluationResult}"}}
                ]}
                """, "{}");
        assertThat(run.input("s.a")).isEqualTo("{\"inside\":[\"x\"]}");
        run.succeed("s.a", "{}");
        assertThat(run.input("b")).isEqualTo("{\"after\":[\"x\"]}");
    }

    @Test
    void isTheLastTaskOfALoopThatGoesByVariables() {
        WorkflowRun run = WorkflowRun.of("conductor", """
                {"name": "w", "variables": {"done": false}, "tasks": [
                  {"name": "l", "taskReferenceName": "l", "type": "DO_WHILE", "loopCondition": "!$.done",
                   "inputParameters": {"done": "${workflow.variables.done}"}, "loopOver": [
                     {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                      "inputParameters": {"v": "${workflow.variables.done}"}, "decisionCases": {"false": [
                        {"name": "set", "taskReferenceName": "set", "type": "SET_VARIABLE", "inputParameters": {"done": true}}]}}]}
                ], "outputParameters": {"s": "${s.output.evaluationResult}"}}
                """, "{}");
        assertThat(run.output()).isEqualTo("{\"s\":[\"false\"]}");
    }

    @Test
    void rejectsASwitchThatDecidesByItsOwnOutput() {
        String inside =
                "{\"name\": \"t\", \"taskReferenceName\": \"t\", \"inputParameters\": {\"x\": \"${s.output.evaluationResult}\"}}";
        String choice = """
                {"name": "s", "taskReferenceName": "s", "type": "SWITCH", "evaluatorType": "value-param", "expression": "v",
                 "inputParameters": {"v": "${s.output.evaluationResult}"}, "decisionCases": {"a": [%s]}}
                """.formatted(inside);
        String loop = """
                {"name": "l", "taskReferenceName": "l", "type": "DO_WHILE", "loopCondition": "$.n > 1",
                 "inputParameters": {"n": 1}, "loopOver": [%s]}
                """.formatted(choice);
        for (String task : List.of(choice, loop)) {
            Compilation compilation = FlowCompiler.compile(new FlowSource(
                    "flow.json", Optional.of("conductor"), "{\"name\": \"w\", \"tasks\": [" + task + "]}"));

            assertThat(compilation).isInstanceOf(Compilation.Rejected.class);
            assertThat(((Compilation.Rejected) compilation).problems())
                    .anySatisfy(problem ->
                            assertThat(problem.message()).startsWith("The output of task \"s\" cannot be read here"));
        }
    }
}
