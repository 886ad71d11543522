package dev.millrace.e2e.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.OtlpReceiver;
import dev.millrace.harness.OtlpReceiver.Span;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector gets the tree of a run, from the caller's span to those of the script, also if a worker is killed. */
final class TraceTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e47";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String STATE = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";

    /** Makes spans as a script with OpenTelemetry does, without its package: through the context alone. */
    private static final String ECHO = """
            import { current } from "millrace";

            const api = globalThis[Symbol.for("opentelemetry.js.api.1")];

            export async function main(n: number) {
              const tracer = api.trace.getTracer("shop");
              return await tracer.startActiveSpan("charge", { kind: 2, attributes: { n } }, async (span) => {
                await new Promise((done) => setTimeout(done, 1));
                const carrier = {};
                api.propagation.inject(api.context.active(), carrier);
                tracer.startSpan("inner").end();
                span.end();
                return { carrier, given: current().traceparent, state: current().tracestate };
              });
            }
            """;

    private static final String FLAKY = """
            from millrace import current

            def main():
                if current().attempt < 3:
                    raise ValueError("no luck")
            """;

    private static final String INNER = """
            millrace: v1
            name: trace-inner
            steps:
              - {id: nap, wait: {for: 10ms}}
            """;

    private static final String FLOW = """
            millrace: v1
            name: traced
            steps:
              - id: each
                for_each: [1, 2]
                steps:
                  - {id: echo, script: echo.ts, input: {n: '${{ item }}'}}
              - {id: nap, wait: {for: 20ms}}
              - {id: child, flow: trace-inner, as: run}
            """;

    private static OtlpReceiver collector;
    private static Installation installation;

    @BeforeAll
    static void start() {
        collector = OtlpReceiver.start();
        installation = Installation.start(
                "trace",
                ClusterPlan.small()
                        .with("otel.exporter.otlp.endpoint", collector.endpoint())
                        .with("otel.exporter.otlp.protocol", "http/protobuf")
                        .with("otel.bsp.schedule.delay", "50")
                        .with("millrace.worker.session-ttl", "10s")
                        .with("millrace.worker.heartbeat-interval", "1s"));
    }

    @AfterAll
    static void stop() {
        installation.close();
        collector.close();
    }

    @Test
    void theTreeReachesFromTheCallerToTheScript() {
        installation.api().deployFlow(INNER, Map.of());
        installation.api().deployFlow(FLOW, Map.of("echo.ts", ECHO));

        String trace = TRACE + "01";
        JsonNode run = submit(trace, Map.of("target", Map.of("flow", "traced"), "input", Map.of()));

        Span request = one(trace, "POST /api/v1/runs");
        assertThat(request.parent()).isEqualTo(CALLER);
        assertThat(request.service()).isEqualTo("millrace-gateway");
        Span call = one(trace, "millrace.run.v1.RunService/SubmitRun");
        assertThat(call.parent()).isEqualTo(request.spanId());
        Span root = one(trace, "run traced");
        assertThat(root.parent()).isEqualTo(call.spanId());
        assertThat(root.attributes())
                .containsEntry("millrace.run.id", run.path("id").asText());
        Span each = one(trace, "step each");
        below(trace, root, "step nap");
        assertThat(each.parent()).isEqualTo(root.spanId());
        Span child = below(trace, one(trace, "step child"), "run trace-inner");
        below(trace, child, "step nap");
        List<Span> echoes = awaited(trace, "step each.echo", 2);
        assertThat(echoes).allSatisfy(step -> assertThat(step.parent()).isEqualTo(each.spanId()));
        for (Span step : echoes) {
            Span attempt = below(trace, step, "attempt 1");
            below(trace, step, "queue");
            Span execution = below(trace, attempt, "execute");
            assertThat(execution.service()).isEqualTo("millrace-worker");
            Span charge = below(trace, execution, "charge");
            assertThat(charge.scope()).isEqualTo("shop");
            below(trace, charge, "inner");
        }
        assertThat(collector.trace(trace))
                .allSatisfy(span -> assertThat(span.endNanos()).isGreaterThanOrEqualTo(span.startNanos()))
                .allSatisfy(span -> assertThat(span.state()).isEqualTo(STATE));
        JsonNode echo = installation
                .api()
                .get("/api/v1/runs/" + run.path("id").asText() + "/steps?include_payloads=true&step=each[0].echo")
                .ok()
                .path("items")
                .path(0)
                .path("result");
        assertThat(echo.path("carrier").path("tracestate").asText()).isEqualTo(STATE);
        assertThat(echo.path("state").asText()).isEqualTo(STATE);
    }

    @Test
    void anAttemptWhoseWorkerWasKilledIsPartOfTheTree(@TempDir Path folder) {
        var gate = new Gate(folder);
        installation.api().deployScript("trace/gate.py", Gate.PYTHON);
        String trace = TRACE + "02";
        var run = new HashMap<String, Object>();
        run.put("target", Map.of("script", "trace/gate.py"));
        run.put("input", gate.input());
        String id = installation
                .api()
                .post("/api/v1/runs", run, "traceparent", "00-" + trace + "-" + CALLER + "-01")
                .ok()
                .path("id")
                .asText();
        gate.awaitArrivals(1);

        installation.cluster().worker(0).kill();
        installation.cluster().worker(0).start();
        gate.awaitArrivals(2);
        gate.open();
        installation.api().awaitEnd(id);

        Span root = one(trace, "run trace/gate.py");
        Span lost = below(trace, root, "attempt 1");
        assertThat(lost.status()).isEqualTo(2);
        assertThat(lost.attributes()).containsEntry("error.type", "WorkerLost");
        assertThat(below(trace, root, "attempt 2").status()).isZero();
        assertThat(historyOf(id)).contains("attempt 1", "attempt 2");
    }

    @Test
    void eachAttemptOfAJobIsASpan() {
        installation.api().deployScript("trace/flaky.py", FLAKY);
        String trace = TRACE + "03";

        JsonNode run = submit(
                trace,
                Map.of(
                        "target",
                        Map.of("script", "trace/flaky.py"),
                        "retry",
                        Map.of("max_retries", 3, "delay", "1ms"),
                        "input",
                        Map.of()));

        Span root = one(trace, "run trace/flaky.py");
        for (int number = 1; number <= 2; number++) {
            Span failed = below(trace, root, "attempt " + number);
            assertThat(failed.status()).isEqualTo(2);
            assertThat(failed.attributes()).containsEntry("error.type", "ValueError");
            assertThat(failed.attributes()).containsKey("millrace.worker.name");
            assertThat(below(trace, failed, "execute").status()).isEqualTo(2);
        }
        assertThat(below(trace, root, "attempt 3").status()).isZero();
        assertThat(below(trace, root, "queue").endNanos())
                .isLessThanOrEqualTo(below(trace, root, "attempt 1").startNanos());
        assertThat(historyOf(run.path("id").asText()))
                .containsExactly("run trace/flaky.py", "queue", "attempt 1", "attempt 2", "attempt 3");
    }

    @Test
    void theHistoryShowsTheTreeWithoutACollector() {
        installation.api().deployFlow(INNER, Map.of());
        JsonNode run = installation.api().runToEnd(Map.of("target", Map.of("flow", "trace-inner"), "input", Map.of()));

        JsonNode trace = installation
                .api()
                .get("/api/v1/runs/" + run.path("id").asText() + "/trace")
                .ok();

        assertThat(historyOf(run.path("id").asText())).containsExactly("run trace-inner", "step nap");
        assertThat(trace.path("spans").path(1).path("parent_span_id").asText())
                .isEqualTo(trace.path("spans").path(0).path("span_id").asText());
    }

    @Test
    void aRerunHasSpansOfTheStepsThatItRunsItself() {
        installation.api().deployFlow("""
                millrace: v1
                name: trace-again
                steps:
                  - {id: reused, wait: {for: 1ms}}
                  - {id: each, for_each: [1, 2], steps: [{id: nap, wait: {for: 1ms}}]}
                """, Map.of());
        String first = installation
                .api()
                .runToEnd(Map.of("target", Map.of("flow", "trace-again"), "input", Map.of()))
                .path("id")
                .asText();

        String rerun = installation
                .api()
                .post("/api/v1/runs/" + first + ":rerun", Map.of("step", "each[1].nap"))
                .ok()
                .path("id")
                .asText();
        JsonNode ended = installation.api().awaitEnd(rerun);

        assertThat(historyOf(first)).contains("step reused");
        assertThat(historyOf(rerun)).containsExactlyInAnyOrder("run trace-again", "step each", "step each.nap");
        assertThat(installation
                        .api()
                        .get("/api/v1/runs/" + rerun + "/trace")
                        .ok()
                        .path("spans"))
                .allSatisfy(
                        span -> assertThat(Instant.parse(span.path("start_time").asText()))
                                .isAfterOrEqualTo(
                                        Instant.parse(ended.path("create_time").asText())));
    }

    private static List<String> historyOf(String run) {
        JsonNode trace =
                installation.api().get("/api/v1/runs/" + run + "/trace").ok();
        return StreamSupport.stream(trace.path("spans").spliterator(), false)
                .map(span -> span.path("name").asText())
                .toList();
    }

    private static JsonNode submit(String trace, Map<String, Object> run) {
        Api api = installation.api();
        JsonNode accepted = api.post(
                        "/api/v1/runs", run, "traceparent", "00-" + trace + "-" + CALLER + "-01", "tracestate", STATE)
                .ok();
        JsonNode ended = api.awaitEnd(accepted.path("id").asText());
        assertThat(ended.path("state").asText()).as("state of %s", ended).isEqualTo("succeeded");
        return ended;
    }

    /** Waits for a span, since gateway, scheduler and worker each send their spans some time after their end. */
    private static Span one(String trace, String name) {
        return awaited(trace, name, 1).getFirst();
    }

    /** Waits until there are so many spans of this name. */
    private static List<Span> awaited(String trace, String name, int count) {
        return awaited(
                trace, count + " spans called " + name, span -> span.name().equals(name), count);
    }

    /** Waits for the only span of this name below another one. */
    private static Span below(String trace, Span parent, String name) {
        return awaited(
                        trace,
                        "a span " + name + " below " + parent,
                        span -> span.parent().equals(parent.spanId())
                                && span.name().equals(name),
                        1)
                .getFirst();
    }

    private static List<Span> awaited(String trace, String what, Predicate<Span> which, int count) {
        Await.until(
                "the collector has " + what + " of trace " + trace,
                Api.PATIENCE,
                () -> collector.findAll(trace, which).size() >= count,
                () -> collector.trace(trace).toString());
        List<Span> found = collector.findAll(trace, which);
        assertThat(found).as(what).hasSize(count);
        return found;
    }
}
