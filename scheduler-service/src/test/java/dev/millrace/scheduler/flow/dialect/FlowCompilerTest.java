package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Negated;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.queue.core.RetryPolicy;
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
    void readsWhatHappensAroundAStep() {
        Step step = compiled("""
                millrace: v1
                inputs: {go: {type: boolean}}
                steps:
                  - id: a
                    script: a.py
                    if: ${{ inputs.go }}
                    skip_result: none
                    mock: {ok: true}
                    delay: 5s
                    retry: {max_retries: 2}
                    retry_if: ${{ error.retryable }}
                    stop: [{when: "${{ result.ok }}", ends: run}, {when: "${{ result.bad }}", error: "bad"}]
                    on_failure: fail_at_end
                """).steps().steps().getFirst();
        StepPolicy policy = step.policy();
        assertThat(policy.skip()).isPresent();
        assertThat(policy.skip().orElseThrow().when().expressions())
                .singleElement()
                .isInstanceOf(Negated.class);
        assertThat(policy.mock()).isPresent();
        assertThat(policy.delay()).contains(new Template.Constant(JsonValue.ofString("5s")));
        assertThat(policy.retry()).isEqualTo(RetryPolicy.NONE);
        assertThat(((StepAction.Task) step.action()).options().retry().retriesMax())
                .isEqualTo(2);
        assertThat(policy.retryIf()).isPresent();
        assertThat(policy.stops()).extracting(StepPolicy.Stop::extent).containsExactly(Extent.RUN, Extent.LIST);
        assertThat(policy.stops())
                .extracting(stop -> stop.failure().isPresent())
                .containsExactly(false, true);
        assertThat(policy.onFailure()).isEqualTo(OnFailure.FAIL_AT_END);
    }

    @Test
    void readsContainersAndStepsWithoutAWorker() {
        FlowDefinition flow = compiled("""
                millrace: v1
                variables: {tries: 0}
                timeout: 1h
                priority: 3
                concurrency: {max: 2, key: "${{ inputs.city }}"}
                failure_flow: on/failure
                input_schema: {required: [city]}
                on_failure: {steps: [{id: tell, value: "${{ error.message }}"}]}
                steps:
                  - id: poll
                    while: ${{ result.more }}
                    check: after
                    max_iterations: 10
                    steps: [{id: ask, value: {more: false, nth: "${{ index }}"}}]
                    break_if: ${{ steps.ask.result.nth }}
                    keep_last: 1
                    retry: {max_retries: 1}
                    timeout: 1m
                  - id: both
                    parallel:
                      parallelism: 1
                      branches:
                        - {name: left, skip_failure: true, steps: [{id: l, value: 1}]}
                        - {name: right, steps: [{id: r, set: {tries: 1}}], output: "${{ vars.tries }}"}
                  - {id: each, for_each: [1], key: "${{ item }}", skip_failures: true, steps: []}
                  - {id: sub, flow: other/flow, input: {x: "${{ steps.l.result }}"}}
                  - {id: side, start: {flow: "${{ inputs.which }}"}}
                  - {id: nap, wait: {for: 5}}
                  - {id: then, wait: {until: "2030-01-31T08:00:00Z"}}
                  - id: ok
                    wait: {approval: release, required: 2, details: {title: x}, timeout: 1d, on_timeout: continue}
                  - {id: end, terminate: {status: failed, reason: "no ${{ inputs.city }}"}}
                """);
        assertThat(flow.options().concurrency()).isPresent();
        assertThat(flow.options().onFailure()).isPresent();
        assertThat(flow.options().undeclared()).isEqualTo(FlowOptions.Undeclared.KEPT);
        assertThat(flow.steps().steps())
                .extracting(step -> step.action().getClass().getSimpleName())
                .containsExactly(
                        "While", "Parallel", "ForEach", "SubFlow", "StartRun", "Wait", "Wait", "Wait", "Terminate");
        StepAction.While poll =
                (StepAction.While) flow.steps().steps().getFirst().action();
        assertThat(poll.conditionFirst()).isFalse();
        assertThat(poll.options().keepLast()).hasValue(1);
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
                    assertThat(problem.message())
                            .isEqualTo("The JSON is not valid: unexpected close marker '}': expected ']'"
                                    + " for what opens at line 2, column 11.");
                });
        assertThat(problems("flow.json", ""))
                .extracting(FlowProblem::message)
                .containsExactly("The definition is empty.");
        assertThat(problems("flow.json", "{\"millrace\": \"v1\", \"steps\": []} x"))
                .extracting(FlowProblem::message)
                .singleElement()
                .asString()
                .startsWith("The JSON is not valid: unrecognized token 'x'");
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
    void usesTheRequestedDialect() {
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
                        0,
                        0,
                        "",
                        "The dialect \"bpmn\" is unknown.",
                        "Use one of: millrace, openflow, conductor, fastflow."));
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
    void reportsALimitedNumberOfProblems() {
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
