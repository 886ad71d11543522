package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Runs OpenFlow definitions through the compiler and the machine, and checks what the table of the reference promises.
 */
class OpenFlowTest {
    @Test
    void readsEveryPartOfAFlow() {
        Compilation.Compiled compiled = OpenFlows.compiled("""
                {"summary": "Count words!", "description": null, "value": {"modules": [
                  {"id": "a", "summary": null, "value": {"type": "rawscript", "language": "python3", "lock": "",
                    "content": "def main(x: int):\\n    return x", "tag": "", "path": "f/x/inline_0",
                    "input_transforms": {"x": {"type": "static", "value": 1}}}},
                  {"id": "b-2", "value": {"type": "script", "path": "f/words/count.ts", "hash": null, "input_transforms": {}}}],
                  "same_worker": false, "notes": []},
                 "schema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "order": ["n", "s"],
                  "properties": {"n": {"type": "integer", "default": 3, "description": "how many", "format": ""},
                    "s": {"type": "string", "default": null}, "r": {"type": "object", "format": "resource-x"}},
                  "required": ["n", "s"]},
                 "edited_by": "someone", "extra_perms": {}, "archived": false}
                """);
        assertThat(compiled.scriptPaths()).containsExactly("f/words/count.ts");
        assertThat(compiled.inlineScripts())
                .isEqualTo(Map.of(
                        "inline:a", new Compilation.InlineScript(Language.PYTHON, "def main(x: int):\n    return x")));
        assertThat(compiled.flow().name()).isEqualTo("count-words");
        assertThat(compiled.flow().inputs())
                .containsExactly(
                        new InputSpec("n", InputType.INTEGER, false, Optional.of(JsonValue.of(3)), "how many"),
                        new InputSpec("s", InputType.STRING, true, Optional.empty(), ""),
                        new InputSpec("r", InputType.OBJECT, false, Optional.empty(), ""));
        assertThat(compiled.flow().steps().steps())
                .extracting(Step::id, Step::needs)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a", List.of()),
                        org.assertj.core.groups.Tuple.tuple("b-2", List.of("a")));
    }

    @Test
    void namesTheFlowByItsPathFirst() {
        assertThat(OpenFlows.compiled("{path: f/x/y, summary: S, value: {modules: []}}")
                        .flow()
                        .name())
                .isEqualTo("f/x/y");
        assertThat(OpenFlows.compiled("{summary: '', value: {modules: []}}")
                        .flow()
                        .name())
                .isEqualTo("openflow");
        assertThat(OpenFlows.compiled("modules: []").flow().name()).isEqualTo("openflow");
    }

    @Test
    void takesTypescriptOfEveryKindForDeno() {
        for (String language : List.of("deno", "bun", "bunnative", "nativets")) {
            assertThat(OpenFlows.compiled("modules: [{id: a, value: {type: rawscript, language: " + language
                                    + ", content: 'export function main() {}', input_transforms: {}}}]")
                            .inlineScripts()
                            .get("inline:a"))
                    .isEqualTo(new Compilation.InlineScript(Language.DENO, "export function main() {}"));
        }
    }

    @Test
    void forbidsApprovalsByWhoeverStartedTheRun() {
        Step wait = OpenFlows.compiled("modules: [{id: a, value: {type: identity}, suspend: {required_events: 1,"
                        + " self_approval_disabled: true}}]")
                .flow()
                .steps()
                .steps()
                .getLast();

        assertThat(wait.action())
                .isInstanceOfSatisfying(
                        StepAction.Wait.class,
                        action -> assertThat(((WaitFor.Events) action.until()).details())
                                .isEqualTo(new Template.Constant(
                                        JsonValue.of("{\"title\":\"a\",\"self_approval\":false}"))));
    }

    @Test
    void pagesUntilAnEarlierResultOfTheIterationSaysThatItIsTheLast() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: pages
                    value:
                      type: whileloopflow
                      skip_failures: false
                      modules:
                        - {id: page, value: {type: script, path: a.py, input_transforms: {}}}
                        - id: store
                          value: {type: script, path: b.py, input_transforms: {}}
                          stop_after_if: {expr: "!results.page.next", skip_if_stopped: false}
                    stop_after_all_iters_if: {expr: "result.length == 2", skip_if_stopped: false}
                  - {id: after, value: {type: script, path: c.py, input_transforms: {}}}
                """, "{}");
        run.succeed("pages[0].page", "{\"next\": 2}");
        run.succeed("pages[0].store", "1");
        run.succeed("pages[1].page", "{\"next\": null}");
        run.succeed("pages[1].store", "2");
        assertThat(run.output()).isEqualTo("[1,2]");
    }

    @Test
    void theFirstModuleOfAWhileLoopHasThePreviousIterationAsItsPreviousResult() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}}}
                  - id: loop
                    value:
                      type: whileloopflow
                      skip_failures: false
                      modules:
                        - id: each
                          value:
                            type: forloopflow
                            iterator: {type: static, value: [7]}
                            skip_failures: false
                            modules:
                              - {id: x, value: {type: script, path: x.py, input_transforms: {
                                  p: {type: javascript, expr: previous_result}, q: {type: javascript, expr: 'previous_result?.s + 1'}}}}
                        - {id: y, value: {type: script, path: y.py, input_transforms: {}}}
                """, "{}");
        run.succeed("a", "{\"s\": 1}");
        assertThat(run.inputOf("loop[0].each[0].x")).isEqualTo("{\"p\":{\"s\": 1},\"q\":2}");
        run.succeed("loop[0].each[0].x", "2");
        run.succeed("loop[0].y", "{\"s\": 5}");
        assertThat(run.inputOf("loop[1].each[0].x")).isEqualTo("{\"p\":{\"s\": 5},\"q\":6}");
    }

    @Test
    void passesResultsByIdAndPreviousResult() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {n: {type: javascript, expr: flow_input.n}}}}
                  - {id: b, value: {type: script, path: b.py, input_transforms: {
                      x: {type: javascript, expr: 'results.a.list[1]'}, y: {type: javascript, expr: previous_result.list},
                      z: {type: static, value: {deep: [null, 1.50]}}, e: {type: javascript, expr: 'flow_env?.none'}}}}
                """, "{\"n\": 9007199254740991}");
        assertThat(run.inputOf("a")).isEqualTo("{\"n\":9007199254740991}");
        run.succeed("a", "{\"list\": [1, 2]}");
        assertThat(run.inputOf("b")).isEqualTo("{\"x\":2,\"y\":[1, 2],\"z\":{\"deep\":[null,1.50]},\"e\":null}");
        run.succeed("b", "\"done\"");
        assertThat(run.output()).isEqualTo("\"done\"");
    }

    @Test
    void anEmptyFlowResultsInItsInput() {
        assertThat(OpenFlows.started("modules: []", "{\"a\": 1}").output()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void identityPassesOnThePreviousResult() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: i, value: {type: identity}}
                  - {id: a, value: {type: script, path: a.py, input_transforms: {x: {type: javascript, expr: results.i.n}}}}
                  - {id: b, value: {type: identity, flow: true}}
                """, "{\"n\": 7}");
        assertThat(run.inputOf("a")).isEqualTo("{\"x\":7}");
        run.succeed("a", "[1]");
        assertThat(run.output()).isEqualTo("[1]");
    }

    @Test
    void takesInputsThatTheSchemaDoesNotName() {
        RunOfFlow run = OpenFlows.started("""
                schema: {properties: {n: {type: integer, default: 5}}}
                value: {modules: [{id: i, value: {type: identity}}]}
                """, "{\"other\": true}");
        assertThat(run.output()).isEqualTo("{\"other\":true,\"n\":5}");
    }

    @Test
    void theFirstBranchThatHoldsIsTaken() {
        String flow = """
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}}}
                  - id: choose
                    value:
                      type: branchone
                      branches:
                        - {summary: first, expr: previous_result.x, modules: [{id: x, value: {type: script, path: x.py, input_transforms: {}}}]}
                        - {expr: results.a.y, modules: [{id: y, value: {type: script, path: y.py, input_transforms: {p: {type: javascript, expr: previous_result}}}}]}
                        - {expr: flow_input.pass, modules: []}
                      default: []
                """;
        RunOfFlow both = OpenFlows.started(flow, "{}");
        both.succeed("a", "{\"x\": 1, \"y\": 1}");
        assertThat(both.live()).containsOnlyKeys("choose.x");

        RunOfFlow second = OpenFlows.started(flow, "{}");
        second.succeed("a", "{\"x\": 0, \"y\": \"yes\"}");
        assertThat(second.inputOf("choose.y")).isEqualTo("{\"p\":{\"x\": 0, \"y\": \"yes\"}}");
        second.succeed("choose.y", "3");
        assertThat(second.output()).isEqualTo("3");

        RunOfFlow none = OpenFlows.started(flow, "{}");
        none.succeed("a", "{}");
        assertThat(none.output())
                .as("an empty default passes the previous result")
                .isEqualTo("{}");

        RunOfFlow empty = OpenFlows.started(flow, "{\"pass\": true}");
        empty.succeed("a", "{\"x\": null}");
        assertThat(empty.output()).as("so does an empty branch").isEqualTo("{\"x\": null}");
    }

    @Test
    void namesInALoopAreThoseOfTheInnermost() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: outer
                    value:
                      type: forloopflow
                      iterator: {type: javascript, expr: flow_input.rows}
                      skip_failures: false
                      modules:
                        - id: inner
                          value:
                            type: forloopflow
                            iterator: {type: javascript, expr: flow_input.iter.value}
                            parallel: true
                            skip_failures: false
                            modules:
                              - {id: cell, value: {type: script, path: a.py, input_transforms: {
                                  v: {type: javascript, expr: flow_input.iter.value}, i: {type: javascript, expr: flow_input.iter.index},
                                  p: {type: javascript, expr: flow_input.iter_parent.value}, q: {type: javascript, expr: flow_input.iter_parent.index},
                                  n: {type: javascript, expr: flow_input.name}}}}
                """, "{\"rows\": [[1], [2, 3]], \"name\": \"x\"}");
        assertThat(run.inputOf("outer[0].inner[0].cell")).isEqualTo("{\"v\":1,\"i\":0,\"p\":[1],\"q\":0,\"n\":\"x\"}");
        run.succeed("outer[0].inner[0].cell", "10");
        assertThat(run.live()).containsOnlyKeys("outer[1].inner[0].cell", "outer[1].inner[1].cell");
        assertThat(run.inputOf("outer[1].inner[1].cell"))
                .isEqualTo("{\"v\":3,\"i\":1,\"p\":[2, 3],\"q\":1,\"n\":\"x\"}");
        run.succeed("outer[1].inner[1].cell", "30");
        run.succeed("outer[1].inner[0].cell", "20");
        assertThat(run.output()).isEqualTo("[[10],[20,30]]");
    }

    @Test
    void anEmptyLoopBodyPassesOnThePreviousResult() {
        assertThat(OpenFlows.started(
                                "modules: [{id: l, value: {type: forloopflow, iterator: {type: static, value: [1, 2]}, skip_failures: false, modules: []}}]",
                                "{\"a\": 1}")
                        .output())
                .isEqualTo("[{\"a\": 1},{\"a\": 1}]");
    }

    @Test
    void retriesWithConstantAttemptsFirst() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: a
                    priority: 7
                    timeout: {type: static, value: 1.5}
                    retry: {constant: {attempts: 2, seconds: 5}, exponential: {attempts: 3, multiplier: 2, seconds: 3, random_factor: 20}}
                    value: {type: script, path: a.py, tag_override: gpu, input_transforms: {}}
                """, "{}");
        JobOptions options = Objects.requireNonNull(run.live().get("a")).options();
        assertThat(options.retry())
                .isEqualTo(new RetryPolicy(
                        List.of(
                                RetryPhase.constant(2, Duration.ofSeconds(5)).steady(true),
                                RetryPhase.power(3, Duration.ofSeconds(3), 2)),
                        Duration.ofHours(6),
                        0.2));
        assertThat(options.retry().delayBefore(2, 0))
                .as("nothing random in the constant ones")
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(options.retry().delayBefore(3, 0)).isEqualTo(Duration.ofMillis(43_200));
        assertThat(options.retry().delayBefore(3, 1))
                .as("multiplier × seconds^n, the constant attempts counted")
                .isEqualTo(Duration.ofSeconds(2 * 27));
        assertThat(options.timeout()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(options.priority()).isEqualTo(7);
        assertThat(options.tag()).isEqualTo("gpu");
    }

    @Test
    void aFailureModuleRecoversTheFlowOnRequest() {
        String flow = """
                modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}}}]
                failure_module: {id: failure, value: {type: script, path: b.py, input_transforms: {e: {type: javascript, expr: error.message}}}}
                """;
        RunOfFlow recovered = OpenFlows.started(flow, "{}");
        recovered.fail("a", "broken");
        assertThat(recovered.inputOf("#failure.failure")).isEqualTo("{\"e\":\"broken\"}");
        recovered.succeed("#failure.failure", "{\"recover\": true, \"n\": 1}");
        assertThat(recovered.output()).isEqualTo("{\"recover\": true, \"n\": 1}");

        for (String result : List.of("null", "true", "{\"recover\": 1}", "{\"recover\": false}")) {
            RunOfFlow failed = OpenFlows.started(flow, "{}");
            failed.fail("a", "broken");
            failed.succeed("#failure.failure", result);
            assertThat(failed.end()).get().isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void computesTheParallelismOfALoopWhenItBegins() {
        String loop = """
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}}}
                  - id: each
                    value:
                      type: forloopflow
                      parallel: true
                      parallelism: {type: javascript, expr: results.a.most}
                      iterator: {type: javascript, expr: results.a.items}
                      modules: [{id: b, value: {type: script, path: b.py, input_transforms: {}}}]
                """;
        RunOfFlow run = OpenFlows.started(loop, "{}");
        run.succeed("a", "{\"most\": 2, \"items\": [1, 2, 3]}");
        assertThat(run.inProgress()).containsExactly("each[0].b", "each[1].b");
        run.succeed("each[0].b", "1");
        assertThat(run.inProgress()).containsExactly("each[1].b", "each[2].b");
        run.succeed("each[1].b", "2");
        run.succeed("each[2].b", "3");
        assertThat(run.output()).isEqualTo("[1,2,3]");

        RunOfFlow wrong = OpenFlows.started(loop, "{}");
        wrong.succeed("a", "{\"most\": 0.5, \"items\": [1]}");
        assertThat(wrong.failure()).contains("The parallelism is 0.5 (expected: a whole number from 1).");

        RunOfFlow empty = OpenFlows.started(loop, "{}");
        empty.succeed("a", "{\"most\": 0, \"items\": []}");
        assertThat(empty.output()).isEqualTo("[]");
    }

    @Test
    void whatIsMissingOnAPathOfResultsIsNull() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}}}
                  - {id: b, value: {type: script, path: b.py, input_transforms: {
                      middle: {type: javascript, expr: results.a.x.y.z},
                      step: {type: javascript, expr: results.nobody.x}, computed: {type: javascript, expr: 'results.nobody ?? 7'},
                      params: {type: javascript, expr: params}}}}
                """, "{}");
        run.succeed("a", "{\"x\": null}");
        assertThat(run.inputOf("b")).isEqualTo("{\"middle\":null,\"step\":null,\"computed\":7,\"params\":{}}");
    }

    @Test
    void tagsAndTimesMayBeComputedForEachJob() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: a
                    timeout: {type: javascript, expr: flow_input.seconds}
                    value: {type: script, path: a.py, tag_override: 'gpu-$args[kind]', retry: {constant: {attempts: 2, seconds: 0}},
                      input_transforms: {kind: {type: javascript, expr: flow_input.kind}}}
                """, "{\"seconds\": 7, \"kind\": \"a100\"}");
        JobOptions options = run.optionsOf("a");
        assertThat(options.tag()).isEqualTo("gpu-a100");
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.retry().retriesMax()).isEqualTo(2);
    }

    @Test
    void theTagOfAFlowIsThatOfItsScripts() {
        String modules =
                "{modules: [{id: a, value: {type: script, path: a.py, tag_override: own, input_transforms: {}}}]}";
        assertThat(OpenFlows.started("{tag: gpu, timeout: 60, priority: 5, value: " + modules + "}", "{}")
                        .optionsOf("a"))
                .extracting(JobOptions::tag, JobOptions::priority)
                .containsExactly("gpu", 5);
        assertThat(OpenFlows.started("{tag: gpu, preserve_step_tags: true, value: " + modules + "}", "{}")
                        .optionsOf("a")
                        .tag())
                .isEqualTo("own");
    }

    @Test
    void aSubFlowReadsTheOuterEnvironmentUnlessItHasItsOwn() {
        String reads =
                "modules: [{id: in, value: {type: script, path: a.py, input_transforms: {e: {type: javascript, expr: flow_env.region}}}}]";
        String around = """
                value:
                  flow_env: {region: eu}
                  modules: [{id: call, value: {type: flow, path: inner, input_transforms: {}}}]
                """;
        assertThat(OpenFlows.started(around, "{}", Map.of("inner", reads)).inputOf("call.in"))
                .isEqualTo("{\"e\":\"eu\"}");
        assertThat(OpenFlows.started(around, "{}", Map.of("inner", "flow_env: {region: us}\n" + reads))
                        .inputOf("call.in"))
                .isEqualTo("{\"e\":\"us\"}");
    }

    @Test
    void scriptsKeepTheirTagsIfTheValueSaysSo() {
        assertThat(OpenFlows.started(
                                "{tag: gpu, value: {preserve_step_tags: true, modules: [{id: a, value: {type: script, path: a.py,"
                                        + " tag_override: own, input_transforms: {}}}]}}",
                                "{}")
                        .optionsOf("a")
                        .tag())
                .isEqualTo("own");
    }

    @Test
    void limitsAndTimeoutsOfZeroAreNone() {
        RunOfFlow run = OpenFlows.started("""
                {timeout: 0, value: {timeout: 0, concurrent_limit: 0, concurrency_time_window_s: 0, modules: [{id: a, timeout: 0,
                  retry: {constant: {attempts: 1, seconds: 40000}},
                  value: {type: script, path: a.py, concurrent_limit: 0, input_transforms: {}}}]}}
                """, "{}");
        assertThat(run.optionsOf("a").timeout()).isEqualTo(Flows.DEFAULTS.timeout());
        assertThat(run.optionsOf("a").retry().phases().getFirst().delay()).isEqualTo(Duration.ofHours(6));
    }

    @Test
    void aModuleIsErasedAfterZeroSecondsAsAfterUse() {
        for (String erased : List.of("delete_after_use: true", "delete_after_secs: 0")) {
            Step step = OpenFlows.compiled("modules: [{id: a, " + erased
                            + ", value: {type: script, path: a.py, input_transforms: {}}}]")
                    .flow()
                    .steps()
                    .steps()
                    .getFirst();
            assertThat(((StepAction.Task) step.action()).options().deleteAfterUse())
                    .isTrue();
        }
    }

    @Test
    void aSkippedFlowSaysSo() {
        RunOfFlow run = OpenFlows.started(
                "value: {skip_expr: 'flow_input.n < 0', modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}}}]}",
                "{\"n\": -1}");
        assertThat(run.output()).isEqualTo("\"stopped early\"");
    }

    @Test
    void anEmptyBranchOfABranchallResultsInTheInput() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}}}
                  - {id: all, value: {type: branchall, branches: [{modules: []}]}}
                """, "{\"n\": 1}");
        run.succeed("a", "2");
        assertThat(run.output()).isEqualTo("[{\"n\": 1}]");
    }
}
