package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
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
    void refusesTasksThatRunOnNoWorker() {
        assertThatThrownBy(() -> tasks(
                        "{\"d\": {\"dynamicTasks\": [{\"taskName\": \"x\", \"referenceName\": \"r\", \"type\": \"INLINE\"}]}}",
                        new ForkedTasks.Form.Joined("d")))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessageContaining(
                        "Task \"r\" of the dynamic fork has the type \"INLINE\" (expected: SIMPLE, HTTP or "
                                + "KAFKA_PUBLISH).");
    }

    private static String tasks(String params, ForkedTasks.Form form) {
        return new ForkedTasks(Composed.constant(JsonValue.of(params)), form)
                .evaluate(SCOPE)
                .toString();
    }
}
