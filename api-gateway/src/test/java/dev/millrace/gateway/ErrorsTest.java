package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.millrace.gateway.testing.FakeScheduler;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorsTest extends GatewayTest {

    private static final String HELLO = "{\"target\":{\"script\":\"hello.py\"}}";

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, 400",
        "OUT_OF_RANGE, 400",
        "UNAUTHENTICATED, 401",
        "PERMISSION_DENIED, 403",
        "NOT_FOUND, 404",
        "ALREADY_EXISTS, 409",
        "FAILED_PRECONDITION, 409",
        "ABORTED, 409",
        "RESOURCE_EXHAUSTED, 429",
        "UNIMPLEMENTED, 501",
        "UNAVAILABLE, 503",
        "DEADLINE_EXCEEDED, 504",
        "UNKNOWN, 500",
        "INTERNAL, 500",
        "DATA_LOSS, 500"
    })
    void mapsEveryRefusalOfTheScheduler(Status.Code code, int httpStatus) {
        scheduler.runs.refusal = Refusals.of(Code.forNumber(code.value()), "SOME_REASON", "Some words.");

        problem(post("/api/v1/runs", HELLO), httpStatus, "some_reason");
    }

    @Test
    void saysInPlainWordsWhereABodyIsNoJson() {
        var problem = problem(post("/api/v1/runs", "{\"target\": {\"script\":\n}}"), 400, "malformed_json");

        assertThat(problem.path("detail").asText())
                .isEqualTo("The body is not valid JSON: unexpected character '}': expected a value (line 2, column 1)."
                        + " Correct it there; a missing comma, quote or bracket is the usual cause.");
    }

    @Test
    void leavesAnswersOfTheClientsMakingOutOfTheLog() {
        assertThat(gateway.serverConfig().unloggedExceptionsReportIntervalMillis())
                .as("Armeria reports every failure that no logger of its own has seen, with its stack")
                .isZero();
    }

    @Test
    void keepsInternalWordsOfTheSchedulerToItself() {
        scheduler.runs.refusal = Status.INTERNAL.withDescription("secret").asRuntimeException();

        var problem = problem(post("/api/v1/runs", HELLO), 500, "internal");

        assertThat(problem.toString()).doesNotContain("secret");
    }

    @Test
    void saysWhereTheSchedulerShouldBe() {
        scheduler.close();

        var response = post("/api/v1/runs", HELLO);

        var problem = problem(response, 503, "unavailable");
        assertThat(problem.path("detail").asText()).contains(scheduler.target(), "millrace.scheduler.target");
        assertThat(response.headers().firstValue("retry-after")).hasValue("1");
    }

    @Test
    void findsASchedulerThatCameBack() {
        scheduler.close();
        problem(get("/api/v1/runs"), 503, "unavailable");

        try (var _ = FakeScheduler.startAt(scheduler.port())) {
            var deadline = System.nanoTime() + java.time.Duration.ofSeconds(60).toNanos();
            var status = 0;
            while (status != 200 && System.nanoTime() < deadline) {
                status = get("/api/v1/runs").statusCode();
            }
            assertThat(status).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"target\": {\"script\" \"a\"}}  | line 1, column 22",
                "{\"target\": | line 1",
                "{} {} | continues after the end",
                "{\"input\": {\"a\": tru}} | line 1",
            })
    void saysWhereTheJsonIsBroken(String body, String words) {
        assertThat(problem(post("/api/v1/runs", body), 400, "malformed_json")
                        .path("detail")
                        .asText())
                .contains(words);
    }

    @Test
    void refusesAnEmptyBody() {
        problem(post("/api/v1/runs", ""), 400, "malformed_json");
    }

    @Test
    void refusesABodyThatIsNotUtf8() {
        var latin = "{\"target\":{\"script\":\"\u00e9\"}}".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

        problem(
                send(request("/api/v1/runs")
                        .header("content-type", "application/json")
                        .POST(BodyPublishers.ofByteArray(latin))),
                400,
                "malformed_json");
    }

    @Test
    void namesAnUnknownFieldAndTheKnownOnes() {
        var problem = problem(
                post("/api/v1/runs", "{\"target\":{\"script\":\"a\"},\"retry\":{\"max\":1}}"), 400, "unknown_field");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("retry.max");
        assertThat(problem.path("detail").asText()).contains("max_retries", "jitter");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | body",
                "{\"target\": \"a\"} | target",
                "{\"target\": {\"script\": 1}} | target.script",
                "{\"target\": {\"script\": \"a\", \"flow\": \"b\"}} | target.flow",
                "{\"target\": {\"script\": \"a\", \"script\": \"b\"}} | target.script",
                "{\"input\": [1]} | input",
                "{\"priority\": 1.5} | priority",
                "{\"priority\": 99999999999} | priority",
                "{\"timeout\": \"soon\"} | timeout",
                "{\"run_after\": \"tomorrow\"} | run_after",
                "{\"retry\": {\"jitter\": \"a\"}} | retry.jitter",
                "{} | target",
            })
    void namesTheFieldThatCannotBeUsed(String body, String field) {
        var problem = problem(post("/api/v1/runs", body), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/api/v1/scripts | {\"path\": \"a.py\"} | content",
                "/api/v1/scripts | {\"path\": \"a.py\", \"content\": null} | content",
                "/api/v1/flows | {} | definition",
                "/api/v1/flows:validate | {\"path\": \"a\"} | definition",
                "/api/v1/flows:convert | {} | definition",
            })
    void namesTheFieldThatIsMissing(String path, String body, String field) {
        var problem = problem(post(path, body), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/runs?stat=failed, unknown_parameter, stat",
        "/api/v1/workers?x=1, unknown_parameter, x",
        "/api/v1/runs?page_size=many, invalid_argument, page_size",
        "/api/v1/runs/run-1/steps?include_payloads=yes, invalid_argument, include_payloads",
    })
    void namesTheParameterThatCannotBeUsed(String path, String code, String parameter) {
        var problem = problem(get(path), 400, code);

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo(parameter);
    }

    @ParameterizedTest
    @CsvSource({"soon", "6m", "-1s"})
    void refusesAWaitThatCannotBeKept(String wait) {
        var problem = problem(post("/api/v1/runs?wait=" + wait, HELLO), 400, "invalid_argument");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("wait");
    }

    @Test
    void takesOnlyJson() {
        var form = request("/api/v1/runs")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(HELLO));

        problem(send(form), 415, "unsupported_media_type");
        problem(send(request("/api/v1/runs").POST(BodyPublishers.ofString(HELLO))), 415, "unsupported_media_type");
    }

    @Test
    void saysThatAnAddressIsUnknown() {
        problem(get("/api/v1/rums"), 404, "no_such_address");
    }

    @Test
    void namesTheMethodsThatArePossible() {
        var response = send(request("/api/v1/runs").DELETE());

        assertThat(problem(response, 405, "method_not_allowed").path("detail").asText())
                .contains("POST, GET");
    }

    @Test
    void refusesALargeBodyBeforeItHasCome() {
        var body = new byte[50 * 1024 * 1024];
        var request = request("/api/v1/runs")
                .header("content-type", "application/json")
                .expectContinue(true)
                .POST(BodyPublishers.ofByteArray(body));

        problem(send(request), 413, "body_too_large");
    }

    @Test
    void refusesALargeBodyOfUnknownLength() {
        restart(Map.of("millrace.gateway.request-bytes-max", "1000"));
        var body = new byte[4_000];
        var request = request("/api/v1/runs")
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));

        problem(send(request), 413, "body_too_large");
    }

    @Test
    void keepsTheCallersTraceId() {
        var response = send(request("/api/v1/none")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));

        assertThat(json(response).path("trace_id").asText()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    }
}
