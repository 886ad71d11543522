package dev.millrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

    private final Metrics metrics = new Metrics();

    @Test
    void showsCountersAndGaugesInTheOldFormat() {
        Counter counter = metrics.counter("millrace_things_total", "Things that happened", "kind");
        metrics.gauges("millrace_room_bytes", "Room that is left", List.of(), points -> points.add(7));
        counter.labelValues("small").inc();

        assertThat(page(""))
                .contains("# TYPE millrace_things_total counter", "millrace_things_total{kind=\"small\"} 1.0")
                .contains("# HELP millrace_room_bytes Room that is left", "millrace_room_bytes 7.0")
                .doesNotContain("_created", "EOF");
    }

    @Test
    void namesTracesOfDurationsThatAreSampled() {
        DurationHistogram durations = metrics.durations("millrace_wait_seconds", "Waits", Buckets.CALLS, "tag");
        long duration = TimeUnit.MILLISECONDS.toNanos(3);
        durations.observe(duration, "00-" + TRACE + "-00f067aa0ba902b7-01", "sampled");
        durations.observe(duration, "00-" + TRACE + "-00f067aa0ba902b7-00", "not");
        durations.observe(duration, "", "none");

        assertThat(page(OPEN_METRICS).lines().filter(line -> line.contains("trace_id")))
                .singleElement()
                .asString()
                .startsWith(
                        "millrace_wait_seconds_bucket{tag=\"sampled\",le=\"0.005\"} 1 # {span_id=\"00f067aa0ba902b7\","
                                + "trace_id=\"" + TRACE + "\"} 0.003");
        assertThat(page(""))
                .contains("millrace_wait_seconds_count{tag=\"none\"} 1")
                .doesNotContain(TRACE);
    }

    @Test
    void keepsTheFirstValuesOfALabelApart() {
        LabelBound bound = new LabelBound(2);

        assertThat(List.of(bound.of("a"), bound.of("b"), bound.of("c"), bound.of("a"), bound.of("d")))
                .containsExactly("a", "b", LabelBound.OTHER, "a", LabelBound.OTHER);
    }

    @Test
    void listsWhatWasDefinedBeforeThereAreValues() {
        metrics.durations("millrace_wait_seconds", "How long things wait", Buckets.JOBS, "tag", "outcome");
        metrics.gauge("millrace_room", "Room", () -> 1);

        assertThat(MetricCatalog.table(metrics.definitions())).isEqualTo("""
                | metric | type | labels | meaning |
                | --- | --- | --- | --- |
                | `millrace_room` | gauge |  | Room |
                | `millrace_wait_seconds` | histogram | `tag`, `outcome` | How long things wait |
                """);
    }

    @Test
    void servesThePageAndNothingElse() throws IOException, InterruptedException {
        metrics.gauge("millrace_room", "Room", () -> 1);
        try (MetricsServer server = MetricsServer.start(MetricsServer.HOST_DEFAULT, 0, metrics);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> page = client.send(
                    request(server, "/metrics").header("Accept", OPEN_METRICS).build(), BodyHandlers.ofString());

            assertThat(page.body()).contains("millrace_room 1.0").endsWith("# EOF\n");
            assertThat(page.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/openmetrics-text"));
            assertThat(client.send(request(server, "/").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
            assertThat(client.send(request(server, "/metrics").DELETE().build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void showsTheJvm() {
        assertThat(Metrics.ofProcess().page("").text())
                .contains("jvm_memory_used_bytes", "jvm_gc_collection_seconds", "process_cpu_seconds_total");
    }

    private static HttpRequest.Builder request(MetricsServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private String page(String accept) {
        return metrics.page(accept).text();
    }
}
