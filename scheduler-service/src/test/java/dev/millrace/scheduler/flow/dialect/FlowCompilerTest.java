package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowDefinition;
import dev.millrace.scheduler.flow.core.InputSpec;
import dev.millrace.scheduler.flow.core.InputType;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlowCompilerTest {
    @Test
    void readsEveryPartOfAFlow() {
        FlowDefinition flow = compiled("""
                millrace: v1
                name: text/word-count
                description: Counts words.
                inputs:
                  files: {type: array, description: paths}
                  mode: {type: string, default: fast}
                  limit: {required: false}
                steps:
                  - {id: split, script: split.py}
                  - {id: count, for_each: "${{ steps.split.result }}", parallelism: 4, script: count.ts}
                  - {id: route, needs: [split], switch: {value: 1, cases: [{equals: 1, steps: []}]}}
                output: ${{ steps.count.result }}
                """);
        assertThat(flow.name()).isEqualTo("text/word-count");
        assertThat(flow.inputs())
                .containsExactly(
                        new InputSpec("files", InputType.ARRAY, true, Optional.empty(), "paths"),
                        new InputSpec("mode", InputType.STRING, false, Optional.of(JsonValue.ofString("fast")), ""),
                        new InputSpec("limit", InputType.ANY, false, Optional.empty(), ""));
        assertThat(flow.steps().steps())
                .extracting(Step::needs)
                .containsExactly(List.of(), List.of("split"), List.of("split"));
        assertThat(flow.steps().output()).isPresent();
    }

    @Test
    void readsTheSameTreeFromJson() {
        String json =
                "{\n\t\"millrace\": \"v1\",\n\t\"steps\": [{\"id\": \"a\", \"script\": \"\\u0061.py\", \"input\": {\"n\": 1.50}}]\n}";
        assertThat(compiled("flow.json", json))
                .isEqualTo(compiled("millrace: v1\nsteps: [{id: a, script: a.py, input: {n: 1.50}}]"));
    }

    @Test
    void namesThePlaceOfAnErrorInJson() {
        assertThat(problems("flow.json", "{\"millrace\": \"v1\",\n \"steps\": [{\"id\": \"a\", \"scirpt\": 1}]}"))
                .extracting(FlowProblem::line, FlowProblem::column, FlowProblem::path)
                .contains(org.assertj.core.groups.Tuple.tuple(2, 24, "steps[0].scirpt"));
        assertThat(problems("flow.json", "{\"millrace\": \"v1\",\n \"steps\": [}"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.line()).isEqualTo(2);
                    assertThat(problem.message()).startsWith("The JSON is not valid: Unexpected close marker '}'");
                });
        assertThat(problems("flow.json", ""))
                .extracting(FlowProblem::message)
                .containsExactly("The definition is empty.");
        assertThat(problems("flow.json", "{\"millrace\": \"v1\", \"steps\": []} x"))
                .extracting(FlowProblem::message)
                .singleElement()
                .asString()
                .startsWith("The JSON is not valid: Unrecognized token 'x'");
    }

    @Test
    void takesUnquotedScalarsAsJsonWould() {
        FlowDefinition flow = compiled("""
                millrace: v1
                steps:
                  - id: a
                    script: s.py
                    input: {a: no, b: 2026-01-01, c: 007, d: 1.50, e: 1e3, f: ~, g: , h: true, i: .inf, j: 0x1F, k: "1", l: !!str 2}
                """);
        assertThat(input(flow))
                .isEqualTo(
                        "{\"a\":\"no\",\"b\":\"2026-01-01\",\"c\":\"007\",\"d\":1.50,\"e\":1e3,\"f\":null,\"g\":null,"
                                + "\"h\":true,\"i\":\".inf\",\"j\":\"0x1F\",\"k\":\"1\",\"l\":\"2\"}");
    }

    @Test
    void expandsAliases() {
        FlowDefinition flow = compiled("""
                millrace: v1
                steps:
                  - {id: a, script: s.py, input: {x: &shared {y: [1]}, z: *shared}}
                """);
        assertThat(input(flow)).isEqualTo("{\"x\":{\"y\":[1]},\"z\":{\"y\":[1]}}");
    }

    @Test
    void namesTheScriptsOfABadDefinitionToo() {
        Compilation compilation = FlowCompiler.compile(source("flow.yaml", """
                millrace: v1
                steps:
                  - {id: a, script: b.py}
                  - {id: b, script: a.ts, timeout: x}
                  - {id: c, for_each: [1], steps: [{id: d, script: b.py}]}
                """));
        assertThat(compilation).isInstanceOf(Compilation.Rejected.class);
        assertThat(compilation.dialect()).isEqualTo("millrace");
        assertThat(compilation.scriptPaths()).containsExactly("b.py", "a.ts");
    }

    @Test
    void takesTheDialectThatIsAskedFor() {
        Compilation forced = FlowCompiler.compile(new FlowSource("flow.yaml", Optional.of("millrace"), "steps: []"));
        assertThat(((Compilation.Rejected) forced).problems())
                .containsExactly(new FlowProblem(
                        1,
                        1,
                        "millrace",
                        "The line millrace: v1 is missing.",
                        "Begin the definition with the line: millrace: v1"));
        Compilation unknown = FlowCompiler.compile(new FlowSource("flow.yaml", Optional.of("bpmn"), "steps: []"));
        assertThat(((Compilation.Rejected) unknown).problems())
                .containsExactly(new FlowProblem(
                        0, 0, "", "The dialect \"bpmn\" is unknown.", "Use one of: millrace, openflow."));
    }

    @Test
    void refusesAnAliasBomb() {
        StringBuilder bomb = new StringBuilder("millrace: v1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append('a').append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThat(problems("flow.yaml", bomb.toString()))
                .extracting(FlowProblem::message)
                .containsExactly(
                        "The definition has more than the limit of 500000 values, with aliases counted as often as they are used.");
    }

    @Test
    void refusesAnAliasOfItself() {
        assertThat(problems("flow.yaml", "millrace: v1\nsteps: &s [*s]"))
                .extracting(FlowProblem::message)
                .containsExactly("The definition nests deeper than the limit of 500 levels.");
    }

    @Test
    void refusesADocumentThatIsTooDeep() {
        String deep = "[".repeat(20_000);
        assertThat(problems("flow.yaml", "millrace: v1\nsteps: " + deep))
                .extracting(FlowProblem::message)
                .containsExactly("The definition nests deeper than the limit of 500 levels.");
        assertThat(problems("flow.json", "{\"steps\": " + deep))
                .extracting(FlowProblem::message)
                .containsExactly("The definition nests deeper than the limit of 500 levels.");
    }

    @Test
    void refusesADocumentThatIsTooLarge() {
        assertThat(problems("flow.yaml", "#".repeat(SourceLimits.CHARS_MAX + 1)))
                .extracting(FlowProblem::message)
                .containsExactly("The definition has 4194305 characters, more than the limit of 4194304.");
    }

    @Test
    void refusesTooManySteps() {
        StringBuilder steps = new StringBuilder("millrace: v1\nsteps:\n");
        for (int i = 0; i <= 10_000; i++) {
            steps.append("- {id: s").append(i).append(", script: s.py}\n");
        }
        assertThat(problems("flow.yaml", steps.toString()))
                .containsExactly(new FlowProblem(
                        10_003,
                        3,
                        "steps[10000]",
                        "The flow has more than the limit of 10000 steps.",
                        "Use for_each for steps that are alike, or split the flow."));
    }

    @Test
    void refusesStepsThatNestTooDeep() {
        assertThat(problems("flow.yaml", "millrace: v1\nsteps: " + nested(65)))
                .extracting(FlowProblem::message)
                .containsExactly("The steps nest deeper than the limit of 64 levels.");
        compiled("millrace: v1\nsteps: " + nested(64));
    }

    private static String nested(int lists) {
        String steps = "[]";
        for (int i = lists; i > 1; i--) {
            steps = "[{id: s" + i + ", for_each: [1], steps: " + steps + "}]";
        }
        return steps;
    }

    @Test
    void reportsAtMostSoManyProblems() {
        StringBuilder keys = new StringBuilder("millrace: v1\nsteps: []\n");
        for (int i = 0; i < 500; i++) {
            keys.append("k").append(i).append(": 1\n");
        }
        assertThat(problems("flow.yaml", keys.toString())).hasSize(Problems.PROBLEMS_MAX);
    }

    private static String input(FlowDefinition flow) {
        StepAction.Task task = (StepAction.Task) flow.steps().steps().getFirst().action();
        return ((Template.Constant) task.input()).value().toString();
    }

    private static FlowSource source(String fileName, String text) {
        return new FlowSource(fileName, Optional.empty(), text);
    }

    private static FlowDefinition compiled(String text) {
        return compiled("flow.yaml", text);
    }

    private static FlowDefinition compiled(String fileName, String text) {
        Compilation compilation = FlowCompiler.compile(source(fileName, text));
        assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
        return ((Compilation.Compiled) compilation).flow();
    }

    private static List<FlowProblem> problems(String fileName, String text) {
        Compilation compilation = FlowCompiler.compile(source(fileName, text));
        assertThat(compilation).isInstanceOf(Compilation.Rejected.class);
        return ((Compilation.Rejected) compilation).problems();
    }
}
