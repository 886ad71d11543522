package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpPollTaskTest {
    private static final String UNTIL = ", \"terminationCondition\": \"$.output.response.body.state === $.done\"";

    private static WorkflowRun run(String more) {
        return run(more, "");
    }

    private static WorkflowRun run(String more, String definitions) {
        String flow = """
            {"name": "w", "tasks": [
              {"name": "p", "taskReferenceName": "p", "type": "HTTP_POLL",
               "inputParameters": {"done": "${workflow.input.done}",
                 "http_request": {"uri": "http://a.example/${workflow.input.job}", "method": "GET"%s}}},
              {"name": "after", "taskReferenceName": "after", "inputParameters": {"r": "${p.output.response.body}"}}
            ], %s "schemaVersion": 2}
            """.formatted(more, definitions);
        return WorkflowRun.of("conductor", flow, "{\"job\": 7, \"done\": \"DONE\", \"seconds\": 5}");
    }

    private static String response(String state) {
        return "{\"status\":200,\"headers\":{},\"body\":{\"state\":\"" + state + "\"}}";
    }

    private static Duration waitAfter(WorkflowRun run) {
        run.succeed("p", response("RUNNING"));
        Duration wait = ((StartWait.Until.Passed) run.waiting("p#delay")).time();
        run.succeed("p#delay", "null");
        return wait;
    }

    @Test
    void sendsTheRequestUntilTheConditionHolds() {
        WorkflowRun run = run(UNTIL);
        assertThat(run.input("p"))
                .startsWith("{\"url\":\"http://a.example/7\",\"method\":\"GET\"")
                .doesNotContain("terminationCondition");

        assertThat(waitAfter(run)).as("Conductor's default").isEqualTo(Duration.ofMinutes(1));
        run.succeed("p", response("DONE"));

        assertThat(run.input("after")).isEqualTo("{\"r\":{\"state\":\"DONE\"}}");
    }

    @Test
    void takesAFunctionForTheCondition() {
        WorkflowRun run = run(
                ", \"terminationCondition\":"
                        + " \"(function(){ var s = $.output.response.body.state; return s === 'DONE' || s === 'FAILED'; })();\"");
        waitAfter(run);
        run.succeed("p", response("FAILED"));

        assertThat(run.input("after")).isEqualTo("{\"r\":{\"state\":\"FAILED\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "10; FIXED; 10; 10; 10",
                "\"10\"; FIXED; 10; 10; 10",
                "\"${workflow.input.seconds}\"; FIXED; 5; 5; 5",
                "10; LINEAR_BACKOFF; 10; 20; 30",
                "\"${workflow.input.seconds}\"; LINEAR_BACKOFF; 5; 10; 15",
                "10; EXPONENTIAL_BACKOFF; 20; 40; 80"
            })
    void waitsAsItsStrategySays(String interval, String strategy, long first, long second, long third) {
        WorkflowRun run =
                run(UNTIL + ", \"pollingInterval\": " + interval + ", \"pollingStrategy\": \"" + strategy + "\"");

        assertThat(waitAfter(run)).hasSeconds(first);
        assertThat(waitAfter(run)).hasSeconds(second);
        assertThat(waitAfter(run)).hasSeconds(third);
    }

    @Test
    void takesTheFirstResponseWithoutACondition() {
        assertThat(run("").succeed("p", response("RUNNING")).live()).containsExactly("after");
        assertThat(run(", \"terminationCondition\": \"1\"")
                        .succeed("p", response("RUNNING"))
                        .live())
                .as("a number above 0 is true")
                .containsExactly("after");
    }

    @Test
    void failsAfterItsMostRequests() {
        WorkflowRun run = run(UNTIL + ", \"maxPollCount\": 2");
        waitAfter(run);
        run.succeed("p", response("RUNNING"));

        assertThat(run.failure()).contains("after 2 requests");
    }

    @Test
    void failsWhereTheIntervalIsNoTime() {
        WorkflowRun run = run(UNTIL + ", \"pollingInterval\": \"${workflow.input.done}\"");
        run.succeed("p", response("RUNNING"));

        assertThat(run.failure()).contains("pollingInterval is \"DONE\" (expected: a number of seconds).");
    }

    @Test
    void takesTheRetriesOfItsDefinitionForEachRequestAndItsTimeForAllOfThem() {
        WorkflowRun run = run(
                UNTIL,
                "\"taskDefs\": [{\"name\": \"p\", \"retryCount\": 2, \"timeoutSeconds\": 90, \"timeoutPolicy\": \"RETRY\"}],");

        assertThat(run.options("p").retry()).returns(2, RetryPolicy::retriesMax);
        assertThat(run.waiting("p#limit")).isEqualTo(new StartWait.Until.Passed(Duration.ofSeconds(90)));
    }
}
