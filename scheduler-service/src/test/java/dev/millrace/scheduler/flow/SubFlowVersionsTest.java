package dev.millrace.scheduler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubFlowVersionsTest {
    private static final String NOTHING = "steps: [{id: done, value: 1}]";

    private final Map<String, SubFlowVersions.Version> deployed = new HashMap<>();

    @Test
    void fixesAllVersionsThatAreReached() {
        deploy("inner", NOTHING);
        deploy("middle", call("inner"));

        SubFlowVersions versions = versions("outer", """
                steps:
                  - {id: a, flow: middle}
                  - {id: b, for_each: [1], steps: [{id: c, flow: inner}]}
                """);

        assertThat(versions.problems()).isEmpty();
        assertThat(versions.hashes())
                .containsOnly(Map.entry("middle", "hash of middle"), Map.entry("inner", "hash of inner"));
    }

    @Test
    void saysWhichFlowIsNotDeployed() {
        deploy("middle", call("inner"));

        assertThat(problem("outer", "steps:\n  - {id: a, flow: nowhere}"))
                .isEqualTo("3:19 steps[0].flow: The flow \"nowhere\" is not deployed in workspace default. "
                        + "Correct its path, or deploy it first.");
        assertThat(problem("outer", "steps:\n  - {id: a, flow: middle}"))
                .isEqualTo(
                        "3:19 steps[0].flow: The flow \"inner\", which \"middle\" runs, is not deployed in workspace "
                                + "default. Correct its path, or deploy it first.");
    }

    @Test
    void refusesFlowsThatWouldRunThemselves() {
        String remedy = "Use a loop, or start one of the flows as a run of its own.";
        deploy("outer", NOTHING);
        deploy("b", call("outer"));
        deploy("a", call("b"));

        assertThat(problem("outer", "steps: [{id: a, flow: outer}]"))
                .isEqualTo("2:23 steps[0].flow: The flow \"outer\" would run itself: outer → outer. " + remedy);
        assertThat(problem("outer", "steps: [{id: a, flow: a}]"))
                .isEqualTo("2:23 steps[0].flow: The flow \"outer\" would run itself: outer → a → b → outer. " + remedy);
        assertThat(versions("other", "steps: [{id: a, flow: a}]").problems()).isEmpty();
    }

    @Test
    void limitsTheNesting() {
        deploy("flow2", NOTHING);
        for (int level = 3; level <= FlowLimits.NESTING_MAX; level++) {
            deploy("flow" + level, call("flow" + (level - 1)));
        }
        String whole = "flow" + FlowLimits.NESTING_MAX;

        assertThat(versions("outer", call(whole)).problems()).isEmpty();
        assertThat(problem("outer", "steps: [{id: a, for_each: [1], flow: " + whole + "}]"))
                .isEqualTo("2:38 steps[0].flow: With the flows inside it, the flow \"outer\" nests 65 levels deep "
                        + "(limit: 64). Nest loops, branches and flows less deep, or start one of the flows as a run of "
                        + "its own.");
    }

    @Test
    void limitsTheFlowsInside() {
        String calls = IntStream.rangeClosed(0, FlowLimits.SUB_FLOWS_MAX)
                .mapToObj(number -> {
                    deploy("flow" + number, NOTHING);
                    return "{id: a" + number + ", flow: flow" + number + "}";
                })
                .collect(Collectors.joining(", "));

        assertThat(problem("outer", "steps: [" + calls + "]"))
                .endsWith(
                        "steps[100].flow: The flow runs more than the limit of 100 other flows as parts of itself, directly "
                                + "or indirectly. Join some of them, or start some as runs of their own.");
    }

    @Test
    void limitsTheStepsInside() {
        deploy("tens", calls(10, "ones"));
        deploy("ones", NOTHING);
        deploy("hundreds", calls(10, "tens"));
        deploy("thousands", calls(10, "hundreds"));

        assertThat(versions("outer", calls(20, "thousands")).problems()).isEmpty();
        assertThat(problem("outer", calls(25, "thousands")))
                .endsWith(
                        "With the flows inside it, the flow \"outer\" has 52775 steps (limit: 50000). Use a loop for steps "
                                + "that are alike, or start one of the flows as a run of its own.");
    }

    @Test
    void countsTheStepsForAFailureInside() {
        deploy("inner", NOTHING + "\non_failure: {steps: [{id: tell, flow: other}]}");

        assertThat(problem("outer", call("inner")))
                .isEqualTo(
                        "2:23 steps[0].flow: The flow \"other\", which \"inner\" runs, is not deployed in workspace default. "
                                + "Correct its path, or deploy it first.");
    }

    @Test
    void runsOnItsOwnWhatOnlyARunHas() {
        deploy("limited", NOTHING + "\nconcurrency: {max: 1}");
        deploy("cached", NOTHING + "\ncache: {ttl: 1h}");
        deploy("both", "steps: [{id: a, flow: limited}, {id: b, flow: cached}]");

        SubFlowVersions versions = versions("outer", call("both"));

        assertThat(versions.problems()).isEmpty();
        assertThat(versions.hashes())
                .isEqualTo(Map.of(
                        "both", "hash of both", "limited", SubFlowVersions.OWN_RUN, "cached", SubFlowVersions.OWN_RUN));
    }

    @Test
    void letsAFlowRunAnotherOneThatRunsItOnItsOwn() {
        deploy("limited", "steps: [{id: a, flow: outer}]\nconcurrency: {max: 1}");
        assertThat(versions("outer", call("limited")).problems()).isEmpty();
    }

    @Test
    void refusesToKeepARunOfItsOwnToAWorker() {
        deploy("limited", NOTHING + "\nconcurrency: {max: 1}");
        assertThat(problem("outer", "steps: [{id: a, flow: limited, same_worker: true}]"))
                .isEqualTo("2:23 steps[0].flow: Step \"a\" has same_worker, but the flow \"limited\" is a child run, "
                        + "because it has concurrency or cache. Give same_worker to that flow.");
    }

    private static String call(String path) {
        return "steps: [{id: a, flow: " + path + "}]";
    }

    private static String calls(int times, String path) {
        return IntStream.range(0, times)
                .mapToObj(number -> "{id: a" + number + ", flow: " + path + "}")
                .collect(Collectors.joining(", ", "steps: [", "]"));
    }

    private void deploy(String path, String definition) {
        deployed.put(
                path,
                new SubFlowVersions.Version(
                        "hash of " + path, compile(definition).flow()));
    }

    private String problem(String path, String definition) {
        FlowProblem problem = versions(path, definition).problems().getFirst();
        return problem.line() + ":" + problem.column() + " " + problem.path() + ": " + problem.message() + " "
                + problem.remedy();
    }

    private SubFlowVersions versions(String path, String definition) {
        return SubFlowVersions.of(
                Workspace.DEFAULT, path, compile(definition), found -> Optional.ofNullable(deployed.get(found)));
    }

    private static Compilation.Compiled compile(String definition) {
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), "millrace: v1\n" + definition));
        assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
        return (Compilation.Compiled) compilation;
    }
}
