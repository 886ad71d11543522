package dev.millrace.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.BadRequest.FieldViolation;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.run.v1.Run;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunEndpointsTest extends GatewayTest {

    private static final String HELLO = "{\"target\":{\"script\":\"hello.py\"},\"input\":{\"name\":\"Ada\"}}";

    @Test
    void acceptsARunAndSaysWhereItIs() {
        var response = post("/api/v1/runs", HELLO);

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(response.headers().firstValue("location")).hasValue("/api/v1/runs/run-1");
        var run = json(response);
        assertThat(run.path("id").asText()).isEqualTo("run-1");
        assertThat(run.path("state").asText()).isEqualTo("queued");
        assertThat(run.path("target").path("script").asText()).isEqualTo("hello.py");
        assertThat(run.path("create_time").asText()).isEqualTo("2023-11-14T22:13:20.005Z");
        assertThat(run.has("output")).isFalse();
        assertThat(run.has("end_time")).isFalse();
    }

    @Test
    void returnsTheResultToACallerThatWaits() {
        var response = post("/api/v1/runs?wait=10s", HELLO);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).path("state").asText()).isEqualTo("succeeded");
        assertThat(json(response).path("output").path("name").asText()).isEqualTo("Ada");
    }

    @Test
    void stopsWaitingWhenTheCallerGoesAway() throws Exception {
        scheduler.runs.waitForever = true;
        var client = java.net.http.HttpClient.newHttpClient();
        var pending = client.sendAsync(
                request("/api/v1/runs?wait=1m")
                        .header("content-type", "application/json")
                        .POST(BodyPublishers.ofString(HELLO))
                        .build(),
                java.net.http.HttpResponse.BodyHandlers.ofString());
        assertThat(scheduler.runs.waitBegun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(pending).isNotDone();

        client.shutdownNow();

        assertThat(scheduler.runs.waitCanceled.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void passesEveryFieldOn() {
        var response = post(
                "/api/v1/runs",
                """
                {"target": {"flow_hash": "f00d"}, "input": {}, "tag": "gpu", "priority": -5,
                 "run_after": "2026-01-31T09:00:00+01:00", "timeout": "1.5s",
                 "retry": {"max_retries": 3, "delay": "250ms", "multiplier": 2, "max_delay": "5m", "jitter": 0.1},
                 "env": {"REGION": "eu"}, "start_within": "10m", "limit": {"key": "k", "max": 3, "rate": {"count": 10, "per": "1m"}}}""",
                "traceparent",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "tracestate",
                "one=1 , two=2");

        assertThat(response.statusCode()).isEqualTo(202);
        var spec = scheduler.runs.lastSpec;
        assertThat(spec.getTarget().getFlowHash()).isEqualTo("f00d");
        assertThat(spec.getTag()).isEqualTo("gpu");
        assertThat(spec.getPriority()).isEqualTo(-5);
        assertThat(spec.getRunAfter().getSeconds()).isEqualTo(1_769_846_400);
        assertThat(spec.getTimeout()).isEqualTo(duration(1, 500_000_000));
        assertThat(spec.getRetry().getMaxRetries()).isEqualTo(3);
        assertThat(spec.getRetry().getDelay()).isEqualTo(duration(0, 250_000_000));
        assertThat(spec.getRetry().getMultiplier()).isEqualTo(2);
        assertThat(spec.getRetry().getMaxDelay()).isEqualTo(duration(300, 0));
        assertThat(spec.getRetry().getJitter()).isEqualTo(0.1);
        assertThat(spec.getEnv().toStringUtf8()).isEqualTo("{\"REGION\": \"eu\"}");
        assertThat(spec.getStartWithin()).isEqualTo(duration(600, 0));
        assertThat(spec.getLimit().getKey()).isEqualTo("k");
        assertThat(spec.getLimit().getMax()).isEqualTo(3);
        assertThat(spec.getLimit().getRate().getCount()).isEqualTo(10);
        assertThat(spec.getLimit().getRate().getPer()).isEqualTo(duration(60, 0));
        assertThat(spec.getTraceparent()).isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        assertThat(spec.getTracestate()).isEqualTo("one=1,two=2");
    }

    @Test
    void repeatsNothingUnderTheSameIdempotencyKey() {
        var first = post("/api/v1/runs", HELLO, "Idempotency-Key", "k1");
        var second = post("/api/v1/runs", HELLO, "Idempotency-Key", "k1");

        assertThat(second.body()).isEqualTo(first.body());
    }

    @Test
    void refusesAnIdempotencyKeyThatIsTooLong() {
        var problem = problem(post("/api/v1/runs", HELLO, "Idempotency-Key", "k".repeat(129)), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("Idempotency-Key");
    }

    @Test
    void acceptsManyRunsAtOnce() {
        var response = post("/api/v1/runs:batch", "{\"items\":[" + HELLO + "," + HELLO + "]}");

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(json(response).path("run_ids")).hasSize(2);
    }

    @Test
    void namesTheItemOfABatchThatIsWrong() {
        var problem = problem(
                post("/api/v1/runs:batch", "{\"items\":[" + HELLO + ",{\"input\":{}}]}"), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("items[1].target");
    }

    @Test
    void listsRunsByState() {
        post("/api/v1/runs", HELLO);

        var response = get("/api/v1/runs?state=failed&state=canceled&page_size=5&page_token=t");

        assertThat(json(response).path("items")).hasSize(1);
        assertThat(json(response).path("next_page_token").asText()).isEqualTo("next");
        assertThat(scheduler.runs.lastList.getStatesList())
                .containsExactly(Run.State.STATE_FAILED, Run.State.STATE_CANCELED);
        assertThat(scheduler.runs.lastList.getPageSize()).isEqualTo(5);
        assertThat(scheduler.runs.lastList.getPageToken()).isEqualTo("t");
    }

    @Test
    void looksForRunsByNameAndTime() {
        get("/api/v1/runs?name=text/count&created_from=2026-01-31T08:00:00Z&created_before=2026-02-01T00:00:00Z");

        assertThat(scheduler.runs.lastList.getName()).isEqualTo("text/count");
        assertThat(scheduler.runs.lastList.getCreatedFrom().getSeconds()).isEqualTo(1_769_846_400L);
        assertThat(scheduler.runs.lastList.getCreatedBefore().getSeconds()).isEqualTo(1_769_904_000L);
        assertThat(problem(get("/api/v1/runs?created_from=soon"), 400, "invalid_argument")
                        .path("detail")
                        .asText())
                .contains("soon", "RFC 3339");
    }

    @Test
    void looksForRunsByInputAndOutput() {
        var response = get("/api/v1/runs?input=customer.id%3D42&input=note~urgent&output=status=done");

        assertThat(scheduler.runs.lastList.getInputList()).containsExactly("customer.id=42", "note~urgent");
        assertThat(scheduler.runs.lastList.getOutputList()).containsExactly("status=done");
        assertThat(json(response).path("searched_back_to").asText()).isEqualTo("2026-01-31T08:00:00Z");
    }

    @Test
    void refusesAnUnknownState() {
        var problem = problem(get("/api/v1/runs?state=done"), 400, "invalid_argument");

        assertThat(problem.path("detail").asText()).contains("done", "queued, running, succeeded, failed, canceled");
    }

    @Test
    void saysThatARunIsUnknown() {
        problem(get("/api/v1/runs/nope"), 404, "run_not_found");
    }

    @Test
    void showsStepsWithDurationsAndErrors() {
        post("/api/v1/runs", HELLO);

        var step = json(get("/api/v1/runs/run-1/steps?include_payloads=true"))
                .path("items")
                .path(0);

        assertThat(step.path("key").asText()).isEqualTo("count[3]");
        assertThat(step.path("kind").asText()).isEqualTo("for_each");
        assertThat(step.path("state").asText()).isEqualTo("failed");
        assertThat(step.path("wait_duration").asText()).isEqualTo("0.012s");
        assertThat(step.path("run_duration").asText()).isEqualTo("3s");
        assertThat(step.path("error").path("name").asText()).isEqualTo("ValueError");
        assertThat(step.path("input").path("name").asText()).isEqualTo("Ada");
    }

    @Test
    void tellsAFullQueueWithTheTimeToComeBack() {
        scheduler.runs.refusal = Refusals.of(
                Code.RESOURCE_EXHAUSTED,
                "QUEUE_FULL",
                "The queue is full.",
                RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setSeconds(1).setNanos(1))
                        .build());

        var response = post("/api/v1/runs", HELLO);

        problem(response, 429, "queue_full");
        assertThat(response.headers().firstValue("retry-after")).hasValue("2");
    }

    @Test
    void namesFieldsAsTheRestApiDoes() {
        scheduler.runs.refusal = Refusals.of(
                Code.INVALID_ARGUMENT,
                "INVALID_ARGUMENT",
                "Wrong.",
                BadRequest.newBuilder()
                        .addFieldViolations(FieldViolation.newBuilder()
                                .setField("spec.target.script_path")
                                .setDescription("There is no such script."))
                        .build());

        var problem = problem(post("/api/v1/runs", HELLO), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("target.script");
        assertThat(problem.path("errors").path(0).path("message").asText()).isEqualTo("There is no such script.");
    }

    private static Duration duration(long seconds, int nanos) {
        return Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build();
    }
}
