package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForkedTasksTest {
    private static final String HEADERS =
            "\"headers\":{\"Accept\":\"application/json\",\"Content-Type\":\"application/json\"}";
    private static final String RESPONSE =
            "\"timeout\":3600,\"fail_from_status\":300,\"retry_on_status\":\"all\",\"response_headers\":\"lists\",\"response_body\":\"guessed\"";

    private static final FixedScope SCOPE = new FixedScope("{}");

    @Test
    void forksTasksOfSeveralTypes() {
        assertThat(tasks("""
                        {"tasks": [
                           {"name": "count", "taskReferenceName": "a", "inputParameters": {"x": 1}},
                           {"name": "get", "taskReferenceName": "b", "type": "HTTP"},
                           {"name": "put", "taskReferenceName": "c", "type": "KAFKA_PUBLISH"}],
                         "inputs": {"a": {"y": 2}, "b": {"http_request": {"uri": "http://x/", "readTimeOut": "500"}},
                           "c": {"kafka_request": {"bootStrapServers": "k:9092", "topic": "t", "value": 3}}}}
                        """, new ForkedTasks.Form.TasksAndInputs("tasks", "inputs", "fork")))
                .isEqualTo(
                        "["
                                + "{\"ref\":\"a\",\"target\":\"handler:count\",\"input\":{\"x\":1,\"y\":2}},"
                                + "{\"ref\":\"b\",\"target\":\"handler:millrace.http\",\"input\":{\"url\":\"http://x/\","
                                + HEADERS
                                + ",\"connect_timeout\":3,\"read_timeout\":0.5," + RESPONSE
                                + "},\"shape\":\"RESPONSE\"},"
                                + "{\"ref\":\"c\",\"target\":\"handler:millrace.kafka\",\"input\":{\"bootstrap_servers\":\"k:9092\",\"topic\":\"t\",\"value\":3},\"shape\":\"NOTHING\"}]");
    }

    @Test
    void forksTasksOfTypesThatAreThoseOfWorkers() {
        assertThat(tasks("""
                        {"tasks": [
                           {"name": "ask", "taskReferenceName": "a", "type": "LLM_CHAT_COMPLETE", "inputParameters": {"x": 1}, "retryCount": 1},
                           {"name": "mine", "taskReferenceName": "b", "type": "USER_DEFINED"}],
                         "inputs": {}}
                        """, new ForkedTasks.Form.TasksAndInputs("tasks", "inputs", "fork")))
                .startsWith(
                        "[{\"ref\":\"a\",\"target\":\"handler:LLM_CHAT_COMPLETE\",\"input\":{\"x\":1},\"overrides\":")
                .endsWith("{\"ref\":\"b\",\"target\":\"handler:mine\",\"input\":{}}]");
        assertThat(tasks(
                        "{\"forkTaskType\": \"INDEX\", \"forkTaskInputs\": [{\"y\": 3}]}",
                        new ForkedTasks.Form.Alike("fork")))
                .isEqualTo("[{\"ref\":\"_INDEX_0\",\"target\":\"handler:INDEX\",\"input\":{\"y\":3,\"__index\":0}}]");
    }

    @Test
    void forksRequestsThatAreAlike() {
        assertThat(tasks(
                        "{\"forkTaskType\": \"HTTP\", \"forkTaskInputs\": [{\"uri\": \"http://x/\", \"method\": \"GET\"}]}",
                        new ForkedTasks.Form.Alike("fork")))
                .isEqualTo("[{\"ref\":\"_HTTP_0\",\"target\":\"handler:millrace.http\","
                        + "\"input\":{\"url\":\"http://x/\",\"method\":\"GET\"," + HEADERS
                        + ",\"connect_timeout\":3,\"read_timeout\":3," + RESPONSE
                        + "},\"shape\":\"RESPONSE\"}]");
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
                .hasMessageContaining("contains the definition of its workflow")
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
                Map.of("say", "say.py"),
                JsonValue.EMPTY_ARRAY);
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
    void takesRetriesAndTimeoutsOfTasksAndTheirDefinitions() {
        assertThat(joined("{\"referenceName\": \"r\", \"retryCount\": 2}"))
                .contains(",\"overrides\":{\"retry\":{\"phases\":"
                        + "[{\"shape\":\"constant\",\"max_retries\":2,\"delay\":\"60000ms\",\"factor\":1.0}],"
                        + "\"max_delay\":\"2592000000ms\"}}}");
        assertThat(joined("{\"referenceName\": \"r\", \"retryCount\": 0, \"taskDefinition\": {\"retryCount\": 5}}"))
                .contains(",\"overrides\":{\"timeout\":\"3600000ms\",\"retry\":{\"phases\":[]}}}");
        assertThat(joined("{\"referenceName\": \"r\", \"retryCount\": null, \"taskDefinition\": null, "
                        + "\"optional\": false, \"startDelay\": 0, \"permissive\": false, \"onStateChange\": {}}"))
                .isEqualTo("[{\"ref\":\"r\",\"target\":\"handler:r\",\"input\":{}}]");
    }

    @Test
    void findsDefinitionsOfForkedTasksByName() {
        String definitions = "[{\"name\": \"say\", \"retryCount\": 1, \"retryDelaySeconds\": 2, \"timeoutSeconds\": 9, "
                + "\"inputTemplate\": {\"x\": 1, \"y\": 2}, \"concurrentExecLimit\": 4}]";
        String overrides = "\"overrides\":{\"timeout\":\"9000ms\",\"retry\":{\"phases\":"
                + "[{\"shape\":\"constant\",\"max_retries\":1,\"delay\":\"2000ms\",\"factor\":1.0}],"
                + "\"max_delay\":\"2592000000ms\",\"after_timeout\":false},\"limit\":{\"key\":\"say\",\"max\":4}}";
        assertThat(tasks(
                        "{\"tasks\": [{\"name\": \"say\", \"taskReferenceName\": \"a\", \"inputParameters\": {\"y\": 3}},"
                                + "{\"name\": \"other\", \"taskReferenceName\": \"b\"}], \"inputs\": {}}",
                        new ForkedTasks.Form.TasksAndInputs("tasks", "inputs", "fork"),
                        definitions))
                .isEqualTo("[{\"ref\":\"a\",\"target\":\"handler:say\",\"input\":{\"x\":1,\"y\":3}," + overrides
                        + "},{\"ref\":\"b\",\"target\":\"handler:other\",\"input\":{}}]");
        assertThat(tasks(
                        "{\"forkTaskName\": \"say\", \"forkTaskInputs\": [{\"y\": 3}]}",
                        new ForkedTasks.Form.Alike("fork"),
                        definitions))
                .contains(overrides);
    }

    @Test
    void marksTasksThatAreOptional() {
        for (String type : List.of("SIMPLE", "NOOP", "WAIT", "HUMAN")) {
            assertThat(joined("{\"referenceName\": \"r\", \"type\": \"" + type + "\", \"optional\": true}"))
                    .endsWith(",\"optional\":true}]");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "retryCount": "x"   | at retryCount. retryCount is "x" (expected: a whole number from 0 to 2147483647). Write a whole number from 0 to 2147483647.
            "retryCount": -1    | at retryCount. retryCount is -1 (expected: a whole number from 0 to 2147483647). Write a whole number from 0 to 2147483647.
            "retryCount": 1e10  | at retryCount. retryCount is 1e10 (expected: a whole number from 0 to 2147483647). Write a whole number from 0 to 2147483647.
            "retryCount": 1.5   | at retryCount. retryCount is 1.5 (expected: a whole number from 0 to 2147483647). Write a whole number from 0 to 2147483647.
            "optional": "yes"   | at optional. optional is "yes" (expected: true or false). Write true or false.
            "taskDefinition": 7 | at taskDefinition. This is a number, but a task definition is an object.
            "taskDefinition": {"retryCount": -1}     | at taskDefinition.retryCount. retryCount is -1 (expected:
            "taskDefinition": {"retryLogic": "SLOW"} | at taskDefinition.retryLogic. retryLogic is "SLOW" (expected: FIXED, LINEAR_BACKOFF, EXPONENTIAL_BACKOFF). Write one of them.
            "taskDefinition": {"totalTimeoutSeconds": 1} | Its definition has a totalTimeoutSeconds, which a forked task cannot have. Remove it from the definition;
            "taskDefinition": {"name": "", "concurrentExecLimit": 1}, "taskName": "" | at taskDefinition. The name of a definition that limits how many tasks run is ""
            "type": "SUB_WORKFLOW", "workflowName": "w", "retryCount": 1      | at retryCount. The task has a retryCount, its own or that of its definition, but a forked workflow is not retried. Write a retryCount of 0 into the task, or put
            "type": "SUB_WORKFLOW", "workflowName": "w", "taskDefinition": {"name": "w"} | a forked workflow is not retried.
            "type": "NOOP", "taskDefinition": {"concurrentExecLimit": 1} | The definition of task "r" limits how many run, which applies only to tasks that run on workers.
            "startDelay": 5     | at startDelay. A forked task begins immediately. Remove it, or put the task into a workflow, and fork that as a SUB_WORKFLOW.
            "permissive": true  | at permissive. A forked task either fails its fork immediately or is optional. Remove it, or set optional.
            "cacheConfig": {"key": "k", "ttlInSecond": 1} | at cacheConfig. The output of a forked task is not cached.
            "type": "HTTP", "asyncComplete": true | at asyncComplete. A forked task ends with its work. Remove it, or put
            "rateLimited": true | at rateLimited. Task "r" sets rateLimited, but its definition has no limit.
            """)
    void refusesSettingsThatAForkedTaskCannotHave(String settings, String message) {
        assertThatThrownBy(() -> joined("{\"referenceName\": \"r\", " + settings + "}"))
                .isInstanceOf(EvaluationFailed.class)
                .message()
                .startsWith("Task \"r\" of the dynamic fork is not valid")
                .contains(message);
    }

    @Test
    void computesValues() {
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
        return tasks(params, form, "[]");
    }

    private static String tasks(String params, ForkedTasks.Form form, String definitions) {
        return new ForkedTasks(Composed.constant(JsonValue.of(params)), form, Map.of(), JsonValue.of(definitions))
                .evaluate(SCOPE)
                .toString();
    }
}
