package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.flow.dialect.millrace.FlowPrinter;
import dev.millrace.scheduler.flow.dialect.millrace.Printing;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskSettingsTest {
    private static Compilation.Compiled compile(String definition, Set<String> files) {
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.json", Optional.empty(), definition).with(files));
        assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
        return (Compilation.Compiled) compilation;
    }

    private static Step task(String settings) {
        return compile(
                        "{\"name\": \"w\", \"tasks\": [{\"name\": \"a\", \"taskReferenceName\": \"a\"" + settings
                                + "}]}",
                        Set.of())
                .flow()
                .steps()
                .steps()
                .getFirst();
    }

    private static TaskOptions options(String settings) {
        return ((StepAction.Task) task(settings).action()).options();
    }

    /** The delays in seconds, each with minimum and maximum jitter. */
    private static List<List<Long>> waits(String settings) {
        RetryPolicy retry = options(settings).retry();
        List<List<Long>> waits = new ArrayList<>();
        for (int i = 1; i <= retry.retriesMax(); i++) {
            waits.add(List.of(
                    retry.delayBefore(i, 0).toSeconds(), retry.delayBefore(i, 1).toSeconds()));
        }
        return waits;
    }

    @Test
    void retriesAfterAFixedDelay() {
        assertThat(waits(", \"taskDefinition\": {\"retryCount\": 2, \"retryDelaySeconds\": 7}"))
                .containsExactly(List.of(7L, 7L), List.of(7L, 7L));
    }

    @Test
    void retriesAsOftenAsTheDefinitionSays() {
        assertThat(options(", \"taskDefinition\": {\"retryCount\": 50000}")
                        .retry()
                        .retriesMax())
                .isEqualTo(50_000);
        assertThat(options(", \"retryCount\": 2000000000").retry().retriesMax()).isEqualTo(100_000);
    }

    @Test
    void retriesAfterDelaysThatGrowLinearly() {
        assertThat(
                        waits(
                                ", \"taskDefinition\": {\"retryLogic\": \"LINEAR_BACKOFF\", \"retryDelaySeconds\": 5, \"backoffScaleFactor\": 2}"))
                .containsExactly(List.of(10L, 10L), List.of(20L, 20L), List.of(30L, 30L));
    }

    @Test
    void retriesAfterDelaysThatDoubleUpToAMaximum() {
        assertThat(
                        waits(
                                ", \"taskDefinition\": {\"retryLogic\": \"EXPONENTIAL_BACKOFF\", \"retryDelaySeconds\": 3, \"retryCount\": 4, \"maxRetryDelaySeconds\": 10}"))
                .containsExactly(List.of(3L, 3L), List.of(6L, 6L), List.of(10L, 10L), List.of(10L, 10L));
    }

    @Test
    void addsTheJitterAfterTheCap() {
        assertThat(
                        waits(
                                ", \"taskDefinition\": {\"retryCount\": 1, \"retryDelaySeconds\": 20, \"maxRetryDelaySeconds\": 10, \"backoffJitterMs\": 5000}"))
                .containsExactly(List.of(10L, 15L));
        assertThat(
                        waits(
                                ", \"taskDefinition\": {\"retryCount\": 3, \"retryLogic\": \"EXPONENTIAL_BACKOFF\", \"retryDelaySeconds\": 4, \"maxRetryDelaySeconds\": 10, \"backoffJitterMs\": 3000}"))
                .containsExactly(List.of(4L, 7L), List.of(8L, 11L), List.of(10L, 13L));
    }

    @Test
    void takesTheRetriesOfTheTaskBeforeThoseOfItsDefinition() {
        assertThat(options(", \"retryCount\": 1, \"taskDefinition\": {\"retryCount\": 5}")
                        .retry()
                        .retriesMax())
                .isEqualTo(1);
        assertThat(options(", \"retryCount\": 0, \"taskDefinition\": {\"retryCount\": 5}")
                        .retry()
                        .retriesMax())
                .isZero();
        assertThat(options(", \"taskDefinition\": {\"name\": \"a\"}").retry().retriesMax())
                .isEqualTo(3);
        assertThat(waits(", \"retryCount\": 1")).containsExactly(List.of(60L, 60L));
    }

    @Test
    void aSimpleTaskWithoutADefinitionHasTheDefaultsOfOne() {
        for (String settings : List.of("", ", \"type\": \"SIMPLE\"")) {
            assertThat(waits(settings)).containsExactly(List.of(60L, 60L), List.of(60L, 60L), List.of(60L, 60L));
            assertThat(options(settings).timeout()).contains(Duration.ofHours(1));
        }
        assertThat(options(", \"retryCount\": 0").retry().retriesMax()).isZero();
    }

    @Test
    void aTaskOfAnyOtherTypeHasNoRetriesWithoutADefinition() {
        for (String type : List.of(
                "USER_DEFINED\"",
                "EMAIL\"",
                "HTTP\", \"inputParameters\": {\"uri\": \"http://x\", \"method\": \"GET\"}",
                "DYNAMIC\", \"dynamicTaskNameParam\": \"n\", \"inputParameters\": {\"n\": \"b\"}")) {
            String settings = ", \"type\": \"" + type;
            assertThat(options(settings).retry().retriesMax()).as(type).isZero();
            assertThat(options(settings).timeout()).as(type).isEmpty();
        }
    }

    @Test
    void aTotalTimeoutThatOnlyAlertsEndsNothing() {
        String total = ", \"taskDefinition\": {\"totalTimeoutSeconds\": 9, \"timeoutPolicy\": \"%s\"}";
        assertThat(task(total.formatted("ALERT_ONLY")).policy().timeout()).isEmpty();
        assertThat(task(total.formatted("RETRY")).policy().timeout()).contains(Duration.ofSeconds(9));
    }

    @Test
    void aLoopIsNotRetried() {
        Step loop = task("""
                , "type": "DO_WHILE", "retryCount": 2, "loopCondition": "false",
                "loopOver": [{"name": "b", "taskReferenceName": "b"}]""");
        assertThat(loop.policy().retry()).isEqualTo(RetryPolicy.NONE);
    }

    @Test
    void takesAnExportedTaskDefinition() {
        assertThat(compile("""
                        {"name": "w", "tasks": [{"name": "a", "taskReferenceName": "a", "metadata": {}, "taskDefinition": {
                          "name": "a", "retryCount": 3, "timeoutSeconds": 0, "inputKeys": [], "outputKeys": [], "runtimeMetadata": [],
                          "timeoutPolicy": "TIME_OUT_WF", "retryLogic": "FIXED", "retryDelaySeconds": 60, "responseTimeoutSeconds": 3600,
                          "inputTemplate": {}, "rateLimitPerFrequency": 0, "rateLimitFrequencyInSeconds": 1, "backoffScaleFactor": 1,
                          "maxRetryDelaySeconds": 0, "backoffJitterMs": 0, "totalTimeoutSeconds": 0, "enforceSchema": false,
                          "taskStatusListenerEnabled": true}}], "rateLimitConfig": {"rateLimitKey": "k", "concurrentExecLimit": 2, "policy": "QUEUE"}}
                        """, Set.of()).warnings()).isEmpty();
    }

    @Test
    void findsDefinitionsByName() {
        Compilation.Compiled compiled = compile(
                "{\"name\": \"w\", \"taskDefs\": [{\"name\": \"a\", \"retryCount\": 9, \"inputTemplate\": {\"x\": 1, \"y\": 2}}],"
                        + " \"tasks\": [{\"name\": \"a\", \"taskReferenceName\": \"r\", \"inputParameters\": {\"y\": 3}}]}",
                Set.of());
        StepAction.Task task =
                (StepAction.Task) compiled.flow().steps().steps().getFirst().action();
        assertThat(task.options().retry().retriesMax()).isEqualTo(9);
        assertThat(task.input()).hasToString("Constant[value={\"x\":1,\"y\":3}]");
    }

    @Test
    void limitsAnAttemptByTheShorterOfItsTimeouts() {
        assertThat(options(", \"taskDefinition\": {\"name\": \"a\"}").timeout()).contains(Duration.ofHours(1));
        assertThat(options(", \"taskDefinition\": {\"timeoutSeconds\": 30}").timeout())
                .contains(Duration.ofSeconds(30));
        assertThat(options(", \"taskDefinition\": {\"timeoutSeconds\": 30, \"responseTimeoutSeconds\": 10}")
                        .timeout())
                .contains(Duration.ofSeconds(10));
        assertThat(options(", \"taskDefinition\": {\"timeoutSeconds\": 30, \"timeoutPolicy\": \"ALERT_ONLY\"}")
                        .timeout())
                .contains(Duration.ofHours(1));
    }

    @Test
    void endsRetriesWithATimeoutOnlyIfThePolicySaysSo() {
        assertThat(task(", \"taskDefinition\": {\"timeoutSeconds\": 30}")
                        .policy()
                        .retryIf())
                .isPresent();
        assertThat(task(", \"taskDefinition\": {\"timeoutSeconds\": 30, \"timeoutPolicy\": \"RETRY\"}")
                        .policy()
                        .retryIf())
                .isEmpty();
        assertThat(task(", \"taskDefinition\": {\"timeoutSeconds\": 30, \"responseTimeoutSeconds\": 10}")
                        .policy()
                        .retryIf())
                .as("a worker that does not answer is always followed by another attempt")
                .isEmpty();
    }

    @Test
    void saysWhatAFailureMeans() {
        assertThat(task("").policy().onFailure()).isEqualTo(OnFailure.FAIL);
        assertThat(task(", \"optional\": true").policy().onFailure()).isEqualTo(OnFailure.CONTINUE);
        assertThat(task(", \"permissive\": true").policy().onFailure()).isEqualTo(OnFailure.FAIL_AT_END);
    }

    @Test
    void runsAScriptWithTheNameOfTheTaskThatComesWithTheDefinition() {
        String definition = "{\"name\": \"w\", \"tasks\": [{\"name\": \"resize\", \"taskReferenceName\": \"r\"}]}";
        Compilation.Compiled alone = compile(definition, Set.of());
        assertThat(alone.scriptPaths()).isEmpty();
        assertThat(alone.scriptCandidates()).contains("resize.py", "resize.ts");
        assertThat(((StepAction.Task) alone.flow().steps().steps().getFirst().action()).target())
                .isEqualTo(new TaskTarget.HandlerName("resize"));
        Compilation.Compiled together = compile(definition, Set.of("resize.ts", "other.py"));
        assertThat(together.scriptPaths()).containsExactly("resize.ts");
        assertThat(((StepAction.Task) together.flow().steps().steps().getFirst().action()).target())
                .isEqualTo(new TaskTarget.ScriptPath("resize.ts"));
    }

    @Test
    void takesAnExportedDefinition() {
        Step step = task("""
                , "description": null, "inputParameters": {}, "type": "SIMPLE", "dynamicTaskNameParam": null, "caseValueParam": null,
                "caseExpression": null, "scriptExpression": null, "dynamicForkJoinTasksParam": null, "decisionCases": {},
                "defaultCase": [], "forkTasks": [], "startDelay": 0, "subWorkflowParam": null, "joinOn": [], "sink": null,
                "optional": false, "taskDefinition": null, "rateLimited": null, "defaultExclusiveJoinTask": [], "asyncComplete": false,
                "loopCondition": null, "loopOver": [], "retryCount": null, "evaluatorType": null, "expression": null,
                "onStateChange": {}, "joinStatus": null, "cacheConfig": null, "permissive": false, "joinMode": null, "items": null, "metadata": {}
                """);
        assertThat(step.policy().onFailure()).isEqualTo(OnFailure.FAIL);
    }

    @Test
    void hasARetryConditionOnlyIfItMayRetry() {
        String once =
                ", \"taskDefinition\": {\"retryCount\": 0, \"timeoutSeconds\": 5, \"timeoutPolicy\": \"TIME_OUT_WF\"}";
        String twice = once.replace("\"retryCount\": 0", "\"retryCount\": 1");

        assertThat(task(once).policy().retryIf()).isEmpty();
        assertThat(task(twice).policy().retryIf()).isPresent();
        for (String settings : List.of(once, twice)) {
            Printing printed = FlowPrinter.print(compile(
                    "{\"name\": \"w\", \"tasks\": [{\"name\": \"a\", \"taskReferenceName\": \"a\"" + settings + "}]}",
                    Set.of()));
            assertThat(FlowCompiler.compile(
                            new FlowSource("flow.yaml", Optional.empty(), ((Printing.Printed) printed).definition())))
                    .isInstanceOf(Compilation.Compiled.class);
        }
    }
}
