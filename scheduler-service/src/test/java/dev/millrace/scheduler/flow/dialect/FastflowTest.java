package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FastflowTest {
    private static final String FAILED =
            "{\"error\":{\"name\":\"E\",\"message\":\"m\",\"stack\":\"\",\"step_id\":\"x\"}}";

    @Test
    void readsEveryPartOfAFlow() {
        FlowDefinition flow = compiled("""
                id: "test-dag"
                name: "test"
                desc: "a test"
                vars:
                  fileName: {desc: "the file", defaultValue: "file.txt"}
                  count: {defaultValue: 3}
                tasks:
                - {id: "1st", actionName: "print.py", params: {text: hello, deep: [1, {a: b}]}, timeoutSecs: 5}
                - {id: second, actionName: PrintAction, dependOn: ["1st"], timeoutSecs: 0}
                - {id: nap, actionName: ff-waiting, params: {waitingTime: 2s}}
                - id: ask
                  actionName: http
                  params: {url: "http://a.example", path: b, header: {Accept: [text/plain, text/html]}, rawBody: x}
                """);
        assertThat(flow.name()).isEqualTo("test-dag");
        assertThat(flow.description()).isEqualTo("a test");
        assertThat(flow.inputs())
                .containsExactly(
                        new InputSpec("fileName", InputType.STRING, false, text("file.txt"), "the file", true),
                        new InputSpec("count", InputType.STRING, false, text("3"), "", true));
        List<Step> steps = flow.steps().steps();
        assertThat(steps).extracting(Step::id).containsExactly("1st", "second", "nap", "ask");
        assertThat(steps).extracting(Step::needs).containsExactly(List.of(), List.of("1st"), List.of(), List.of());
        StepAction.Task first = (StepAction.Task) steps.getFirst().action();
        assertThat(first.target()).isEqualTo(new TaskTarget.ScriptPath("print.py"));
        assertThat(first.options().timeout()).contains(Duration.ofSeconds(5));
        StepAction.Task second = (StepAction.Task) steps.get(1).action();
        assertThat(second.target()).isEqualTo(new TaskTarget.HandlerName("PrintAction"));
        assertThat(second.options().timeout()).isEmpty();
        assertThat(((StepAction.Task) steps.get(3).action()).input())
                .isEqualTo(
                        new Template.Constant(
                                JsonValue.of(
                                        "{\"url\":\"http://a.example/b\",\"body\":\"x\",\"headers\":{\"Accept\":\"text/plain, text/html\"},\"timeout\":600}")));
    }

    @Test
    void anEmptyVariableStandsForItsDefaultAndAnUndeclaredOneIsIgnored() {
        FlowDefinition flow = compiled("""
                vars: {file: {defaultValue: a.txt}, mode: {}}
                tasks: [{id: a, actionName: a.py}]
                """);
        assertThat(RunInput.check(flow, new Json("{\"other\": 1, \"file\": \"\", \"mode\": null}")))
                .isEqualTo(new RunInput.Accepted(new Json("{\"file\":\"a.txt\",\"mode\":\"\"}")));
        assertThat(RunInput.check(flow, new Json("{\"file\": \"b.txt\", \"mode\": \"fast\"}")))
                .isEqualTo(new RunInput.Accepted(new Json("{\"file\": \"b.txt\", \"mode\": \"fast\"}")));
        assertThat(RunInput.check(flow, new Json("{\"file\": 3}"))).isInstanceOf(RunInput.Refused.class);
    }

    @Test
    void leavesOutWhatNeedsAFailedTask() {
        Step step = compiled("tasks: [{id: a, actionName: a.py}, {id: b, actionName: a.py, dependOn: [a]}]")
                .steps()
                .steps()
                .get(1);
        assertThat(step.policy().onFailure()).isEqualTo(StepPolicy.OnFailure.FAIL_AT_END);
        assertThat(isSkipped(step, Map.of(), Map.of("a", FAILED))).isTrue();
        assertThat(skipResult(step, Map.of("a", FAILED))).isEqualTo(FAILED);
        assertThat(isSkipped(step, Map.of(), Map.of("a", "{\"error\":\"none\"}")))
                .isFalse();
        assertThat(isSkipped(step, Map.of(), Map.of("a", "null"))).isFalse();
    }

    @Test
    void skipsIfAllConditionsOfACheckAreMet() {
        Step step = task("{act: skip, conditions: [%s, %s]}"
                .formatted(
                        "{source: vars, key: mode, op: in, values: [fast, off]}",
                        "{source: vars, key: size, op: not-in, values: [\"3\"]}"));
        assertThat(isSkipped(step, Map.of("mode", "off", "size", "4"), Map.of()))
                .isTrue();
        assertThat(isSkipped(step, Map.of("mode", "off", "size", "3"), Map.of()))
                .isFalse();
        assertThat(isSkipped(step, Map.of("mode", "on", "size", "4"), Map.of())).isFalse();
    }

    @Test
    void meetsNoConditionWithoutTheKey() {
        Step step = task("{act: skip, conditions: [{source: share-data, key: mode, op: not-in, values: [x]}]}");
        assertThat(isSkipped(step, Map.of(), Map.of())).isFalse();
        assertThat(isSkipped(step, Map.of(), Map.of("early", "{\"shareData\":{\"mode\":\"y\"}}")))
                .isTrue();
        assertThat(isSkipped(step, Map.of(), Map.of("early", "{\"shareData\":{\"mode\":\"x\"}}")))
                .isFalse();
    }

    @Test
    void letsTheFirstCheckThatIsMetDecide() {
        List<Step> steps = tasks("{act: block, conditions: [{source: vars, key: mode, op: in, values: [ask, both]}]}, "
                + "{act: skip, conditions: [{source: vars, key: mode, op: in, values: [off, both]}]}");
        Step wait = steps.get(1);
        Step task = steps.get(2);
        assertThat(task.needs()).containsExactly("a_blocked");
        for (String mode : List.of("ask", "both")) {
            assertThat(isSkipped(wait, Map.of("mode", mode), Map.of())).isFalse();
            assertThat(isSkipped(task, Map.of("mode", mode), Map.of())).isFalse();
        }
        assertThat(isSkipped(wait, Map.of("mode", "off"), Map.of())).isTrue();
        assertThat(isSkipped(task, Map.of("mode", "off"), Map.of())).isTrue();
        assertThat(isSkipped(wait, Map.of("mode", "on"), Map.of())).isTrue();
        assertThat(isSkipped(task, Map.of("mode", "on"), Map.of())).isFalse();
    }

    @Test
    void resultsInTheSharedDataOfAllTasks() {
        Template output = compiled("tasks: [{id: a, actionName: a.py}, {id: b, actionName: a.py}]")
                .steps()
                .output()
                .orElseThrow();
        Map<String, String> results =
                Map.of("a", "{\"shareData\":{\"x\":1,\"y\":1}}", "b", "{\"shareData\":{\"y\":2}}");
        assertThat(output.resolve(new FixedScope(Map.of(), results), 1_000))
                .isEqualTo(new Resolution.Resolved(JsonValue.of("{\"x\":1,\"y\":2}")));
    }

    private static Step task(String check) {
        return tasks(check).getLast();
    }

    private static List<Step> tasks(String checks) {
        return compiled("tasks: [{id: early, actionName: a.py}, {id: a, actionName: a.py, preCheck: [" + checks + "]}]")
                .steps()
                .steps();
    }

    private static boolean isSkipped(Step step, Map<String, String> inputs, Map<String, String> results) {
        Template when = step.policy().skip().orElseThrow().when();
        return ((Resolution.Resolved) when.resolve(new FixedScope(inputs, results), 1_000))
                .value()
                .isTruthy();
    }

    private static String skipResult(Step step, Map<String, String> results) {
        Template result = step.policy().skip().orElseThrow().result();
        return ((Resolution.Resolved) result.resolve(new FixedScope(Map.of(), results), 1_000))
                .value()
                .toString();
    }

    private static Optional<JsonValue> text(String text) {
        return Optional.of(JsonValue.ofString(text));
    }

    private static FlowDefinition compiled(String definition) {
        Compilation compilation = FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), definition));
        assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
        assertThat(compilation.dialect()).isEqualTo("fastflow");
        return ((Compilation.Compiled) compilation).flow();
    }
}
