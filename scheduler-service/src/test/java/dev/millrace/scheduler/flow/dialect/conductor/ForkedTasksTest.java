package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkedTasksTest {
    private static final FixedScope SCOPE = new FixedScope("{}");

    @Test
    void forksTasksOfSeveralTypes() {
        assertThat(tasks("""
                        {"tasks": [
                           {"name": "count", "taskReferenceName": "a", "inputParameters": {"x": 1}},
                           {"name": "get", "taskReferenceName": "b", "type": "HTTP"},
                           {"name": "put", "taskReferenceName": "c", "type": "KAFKA_PUBLISH"}],
                         "inputs": {"a": {"y": 2}, "b": {"http_request": {"uri": "http://x/", "readTimeOut": 500}},
                           "c": {"kafka_request": {"bootStrapServers": "k:9092", "topic": "t", "value": 3}}}}
                        """, new ForkedTasks.Form.TasksAndInputs("tasks", "inputs", "fork")))
                .isEqualTo(
                        "["
                                + "{\"ref\":\"a\",\"target\":\"handler:count\",\"input\":{\"x\":1,\"y\":2}},"
                                + "{\"ref\":\"b\",\"target\":\"handler:millrace.http\",\"input\":{\"url\":\"http://x/\",\"timeout\":0.5},\"shape\":\"RESPONSE\"},"
                                + "{\"ref\":\"c\",\"target\":\"handler:millrace.kafka\",\"input\":{\"bootstrap_servers\":\"k:9092\",\"topic\":\"t\",\"value\":3},\"shape\":\"NOTHING\"}]");
    }

    @Test
    void forksRequestsThatAreAlike() {
        assertThat(tasks(
                        "{\"forkTaskType\": \"HTTP\", \"forkTaskInputs\": [{\"uri\": \"http://x/\", \"method\": \"GET\"}]}",
                        new ForkedTasks.Form.Alike("fork")))
                .isEqualTo("[{\"ref\":\"_HTTP_0\",\"target\":\"handler:millrace.http\","
                        + "\"input\":{\"url\":\"http://x/\",\"method\":\"GET\"},\"shape\":\"RESPONSE\"}]");
    }

    @Test
    void forksTasksThatNeedNoWorker() {
        assertThat(tasks("""
                        {"d": {"dynamicTasks": [
                          {"taskName": "x", "referenceName": "a", "type": "INLINE", "input": {"expression": "1", "evaluatorType": "graaljs"}},
                          {"taskName": "x", "referenceName": "b", "type": "SET_VARIABLE", "input": {"v": 1}},
                          {"taskName": "x", "referenceName": "c", "type": "START_WORKFLOW", "input": {"startWorkflow": {"name": "my flow"}}}]}}
                        """, new ForkedTasks.Form.Joined("d")))
                .isEqualTo(
                        "["
                                + "{\"ref\":\"a\",\"kind\":\"value\",\"target\":\"INLINE\",\"input\":{\"expression\":\"1\",\"evaluatorType\":\"graaljs\"}},"
                                + "{\"ref\":\"b\",\"kind\":\"variables\",\"target\":\"\",\"input\":{\"v\":1},\"shape\":\"NOTHING\"},"
                                + "{\"ref\":\"c\",\"kind\":\"start\",\"target\":\"my_flow\",\"input\":{},\"shape\":\"STARTED\"}]");
    }

    @Test
    void forksWaitsAndWorkflows() {
        assertThat(tasks("""
                        {"tasks": [
                           {"name": "w", "taskReferenceName": "a", "type": "WAIT", "inputParameters": {"duration": "5s"}},
                           {"name": "w", "taskReferenceName": "b", "type": "WAIT", "inputParameters": {"duration": "", "until": "2030-01-01"}},
                           {"name": "w", "taskReferenceName": "c", "type": "WAIT"},
                           {"name": "ask Ada", "taskReferenceName": "d", "type": "HUMAN", "inputParameters": {"n": 1}},
                           {"name": "s", "taskReferenceName": "e", "type": "SUB_WORKFLOW", "subWorkflowParam": {"name": "my flow", "workflowDefinition": {}}},
                           {"name": "x", "taskReferenceName": "f", "type": "DYNAMIC", "dynamicTaskNameParam": "which", "inputParameters": {"which": "count"}}],
                         "inputs": {}}
                        """, new ForkedTasks.Form.TasksAndInputs("tasks", "inputs", "fork")))
                .isEqualTo("["
                        + "{\"ref\":\"a\",\"kind\":\"delay\",\"target\":\"\",\"input\":{\"duration\":\"5s\"},\"shape\":\"PAYLOAD\"},"
                        + "{\"ref\":\"b\",\"kind\":\"moment\",\"target\":\"\",\"input\":{\"duration\":\"\",\"until\":\"2030-01-01\"},\"shape\":\"PAYLOAD\"},"
                        + "{\"ref\":\"c\",\"kind\":\"signal\",\"target\":\"\",\"input\":{},\"shape\":\"PAYLOAD\"},"
                        + "{\"ref\":\"d\",\"kind\":\"human\",\"target\":\"ask Ada\",\"input\":{\"n\":1},\"shape\":\"PAYLOAD\"},"
                        + "{\"ref\":\"e\",\"kind\":\"child\",\"target\":\"my_flow\",\"input\":{}},"
                        + "{\"ref\":\"f\",\"target\":\"handler:count\",\"input\":{\"which\":\"count\"}}]");
    }

    @Test
    void forksOneWorkflowForEachInput() {
        assertThat(tasks(
                        "{\"forkTaskWorkflow\": \"my flow\", \"forkTaskInputs\": [7]}",
                        new ForkedTasks.Form.Alike("fork")))
                .isEqualTo("[{\"ref\":\"_fork_0\",\"kind\":\"child\",\"target\":\"my_flow\","
                        + "\"input\":{\"input\":7,\"__index\":0}}]");
        assertThatThrownBy(() -> tasks(
                        "{\"forkTaskWorkflow\": null, \"forkTaskInputs\": [7]}", new ForkedTasks.Form.Alike("fork")))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessage(
                        "The dynamic fork has no tasks: forkTaskWorkflow is null (expected: the name of a workflow).");
    }

    @Test
    void saysWhatAForkedTaskLacks() {
        assertThatThrownBy(
                        () -> joined(
                                "{\"referenceName\": \"r\", \"type\": \"WAIT\", \"input\": {\"duration\": \"1s\", \"until\": \"2030-01-01\"}}"))
                .hasMessage("Task \"r\" of the dynamic fork waits both for a duration and until a moment. Keep one of "
                        + "duration and until.");
        assertThatThrownBy(() -> joined("{\"referenceName\": \"r\", \"type\": \"SUB_WORKFLOW\"}"))
                .hasMessageContaining("does not say which workflow it runs");
        assertThatThrownBy(
                        () -> joined(
                                "{\"referenceName\": \"r\", \"type\": \"SUB_WORKFLOW\", \"subWorkflowParam\": {\"name\": \"a\", \"workflowDefinition\": {\"name\": \"b\"}}}"))
                .hasMessageContaining("brings along the definition of its workflow")
                .hasMessageEndingWith("Deploy it, and name it in subWorkflowParam.");
        assertThatThrownBy(() -> joined("{\"referenceName\": \"r\", \"type\": \"DYNAMIC\"}"))
                .hasMessageContaining("dynamicTaskNameParam");
        assertThat(joined("{\"referenceName\": \"r\", \"type\": \"SUB_WORKFLOW\", \"workflowName\": \"report\"}"))
                .contains("\"target\":\"report\"");
    }

    @Test
    void runsScriptsThatHaveTheNameOfATask() {
        ForkedTasks forked = new ForkedTasks(
                Composed.constant(JsonValue.of("{\"forkTaskName\": \"say\", \"forkTaskInputs\": [{}]}")),
                new ForkedTasks.Form.Alike("fork"),
                Map.of("say", "say.py"));
        assertThat(forked.evaluate(SCOPE).toString()).contains("\"target\":\"say.py\"");
    }

    @Test
    void refusesTasksThatCannotBeForkedWhileTheWorkflowRuns() {
        assertThatThrownBy(() -> tasks(
                        "{\"d\": {\"dynamicTasks\": [{\"taskName\": \"x\", \"referenceName\": \"r\", \"type\": \"SWITCH\"}]}}",
                        new ForkedTasks.Form.Joined("d")))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessageContaining(
                        "Task \"r\" of the dynamic fork has the type \"SWITCH\" (expected: SIMPLE, DYNAMIC, HTTP, KAFKA_PUBLISH,");
        assertThatThrownBy(() -> tasks(
                        "{\"d\": {\"dynamicTasks\": [{\"referenceName\": \"r\", \"type\": \"START_WORKFLOW\", \"input\": {}}]}}",
                        new ForkedTasks.Form.Joined("d")))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessageContaining("does not say what it starts");
    }

    @Test
    void worksOutValues() {
        assertThat(value("INLINE", "{\"evaluatorType\": \"javascript\", \"expression\": \"$.n * 2\", \"n\": 4}"))
                .isEqualTo("{\"result\":8}");
        assertThat(value("INLINE", "{\"evaluatorType\": \"value-param\", \"expression\": \"n\", \"n\": [4]}"))
                .isEqualTo("{\"result\":[4]}");
        assertThat(value("LAMBDA", "{\"scriptExpression\": \"return $.n + 1\", \"n\": 4}"))
                .isEqualTo("{\"result\":5}");
        assertThat(value("JSON_JQ_TRANSFORM", "{\"queryExpression\": \".items[]\", \"items\": [1, 2]}"))
                .isEqualTo("{\"result\":1,\"resultList\":[1,2]}");
        assertThat(value("NOOP", "{}")).isEqualTo("{}");
    }

    @Test
    void failsOnlyTheTaskWhoseScriptIsWrong() {
        assertThatThrownBy(() -> value("INLINE", "{\"evaluatorType\": \"python\", \"expression\": \"1\"}"))
                .hasMessageContaining("The evaluator \"python\" is unknown");
        assertThatThrownBy(() -> value("INLINE", "{\"evaluatorType\": \"graaljs\"}"))
                .hasMessage("The input of the task has no expression (expected: a string).");
        assertThatThrownBy(() -> value("LAMBDA", "{\"scriptExpression\": \"return (\"}"))
                .isInstanceOf(EvaluationFailed.class);
    }

    private static String value(String type, String input) {
        return new ForkedValue()
                .evaluate(new FixedScope("{}").inLoop("{\"target\":\"" + type + "\",\"input\":" + input + "}"))
                .toString();
    }

    private static String joined(String task) {
        return tasks("{\"d\": {\"dynamicTasks\": [" + task + "]}}", new ForkedTasks.Form.Joined("d"));
    }

    private static String tasks(String params, ForkedTasks.Form form) {
        return new ForkedTasks(Composed.constant(JsonValue.of(params)), form, Map.of())
                .evaluate(SCOPE)
                .toString();
    }
}
