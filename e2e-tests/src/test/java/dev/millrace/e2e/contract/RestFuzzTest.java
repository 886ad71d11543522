package dev.millrace.e2e.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.contract.Contract;
import dev.millrace.contract.Exchange;
import dev.millrace.contract.Operation;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.harness.ClusterPlan;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sends random, partly invalid requests that are made from the OpenAPI document. No answer may be a server error, and
 * the document must describe every answer.
 */
@Tag("nightly")
final class RestFuzzTest {
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("millrace.test.fuzz-seconds", 15));
    private static final long ANSWER_MILLIS_MAX = 30_000;
    private static final long STREAM_MILLIS_MAX = 300;
    private static final int FINDINGS_MAX = 10;
    private static final RandomGenerator RANDOM = Seed.random("RestFuzzTest");

    private static final String WAITING = """
            millrace: v1
            name: fuzz/waiting
            steps:
              - {id: ask, needs: [], wait: {approval: release, timeout: 1h}}
              - {id: say, needs: [ask], script: fuzz/echo.py}
            """;

    @Test
    void answersAsDescribedWhateverIsAsked() throws Exception {
        try (var installation = Installation.start("fuzz", ClusterPlan.small());
                var http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            Api api = installation.api();
            Contract contract = api.contract();
            var requests = new RequestFuzz(
                    installation.cluster().gatewayUrl(),
                    contract,
                    RANDOM,
                    runs(api),
                    List.of("fuzz/echo.py", "fuzz/waiting", "ask", "say", "release", "ada"));
            var findings = new ArrayList<String>();
            var statuses = new TreeMap<Integer, Integer>();

            long deadline = System.nanoTime() + DURATION.toNanos();
            while (System.nanoTime() < deadline && findings.size() < FINDINGS_MAX) {
                List<Operation> operations = contract.operations();
                HttpRequest request = requests.request(operations.get(RANDOM.nextInt(operations.size())));
                try {
                    statuses.merge(send(http, contract, request), 1, Integer::sum);
                } catch (AssertionError finding) {
                    findings.add(finding.getMessage());
                }
            }

            System.out.println("RestFuzzTest saw these statuses: " + statuses);
            assertThat(findings).isEmpty();
            assertThat(statuses.keySet()).as("statuses").contains(200, 202, 400, 404);
            // The fuzz sets quotas of the default workspace and may reserve it for workers of its own.
            api.post("/api/v1/workspaces", Map.of("name", "afterwards")).ok();
            String afterwards = "/api/v1/workspaces/afterwards";
            api.post(afterwards + "/scripts", Map.of("path", "again.py", "content", "def main():\n    return 1\n"))
                    .ok();
            assertThat(api.post(afterwards + "/runs?wait=60s", Map.of("target", Map.of("script", "again.py")))
                            .ok()
                            .path("state")
                            .asText())
                    .as("state of a run after all of this")
                    .isEqualTo("succeeded");
        }
    }

    private static List<String> runs(Api api) {
        api.deployScript("fuzz/echo.py", "def main(value=1):\n    return value\n");
        api.deployFlow(WAITING, Map.of());
        var runs = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            runs.add(api.submit(Map.of("target", Map.of("flow", "fuzz/waiting"))));
            runs.add(api.runToEnd(Map.of("target", Map.of("script", "fuzz/echo.py")))
                    .path("id")
                    .asText());
        }
        runs.add("0190f5a8-0000-7000-8000-000000000000");
        return runs;
    }

    /** Sends a request, checks the answer, and returns its status; 0 for a stream that stays open. */
    private static int send(HttpClient http, Contract contract, HttpRequest request)
            throws IOException, InterruptedException, ExecutionException {
        var pending = http.sendAsync(request, BodyHandlers.ofString());
        boolean isStream = contract.find(request.method(), request.uri())
                .map(RestFuzzTest::mayStream)
                .orElse(false);
        try {
            var answer = pending.get(isStream ? STREAM_MILLIS_MAX : ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
            var exchange = Exchange.of(request, answer);
            if (answer.statusCode() >= 500) {
                throw new AssertionError(
                        request + " with " + beginning(exchange.requestBody()) + " answered " + answer.body());
            }
            contract.check(exchange);
            return answer.statusCode();
        } catch (TimeoutException e) {
            pending.cancel(true);
            if (isStream) {
                return 0;
            }
            throw new AssertionError(request + " was not answered within " + ANSWER_MILLIS_MAX + " ms.", e);
        }
    }

    private static boolean mayStream(Operation operation) {
        return operation
                .answer(200)
                .map(answer -> answer.content().containsKey("text/event-stream"))
                .orElse(false);
    }

    private static String beginning(String body) {
        return body.substring(0, Math.min(body.length(), 2_000));
    }
}
