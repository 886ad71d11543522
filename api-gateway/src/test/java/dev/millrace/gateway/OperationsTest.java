package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.junit.jupiter.api.Test;

class OperationsTest extends GatewayTest {

    @Test
    void isReadyWhenTheSchedulerIs() {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(json(get("/readyz")).path("status").asText()).isEqualTo("ready");
    }

    @Test
    void warnsOfADatabaseThatMayLoseWhatItHasCommitted() {
        scheduler.health.setStatus("millrace.durability", ServingStatus.SERVING);
        assertThat(json(get("/readyz")).has("warnings")).isFalse();

        scheduler.health.setStatus("millrace.durability", ServingStatus.NOT_SERVING);
        assertThat(json(get("/readyz")).path("status").asText()).isEqualTo("ready");
        assertThat(json(get("/readyz")).path("warnings").path(0).asText()).contains("fsync");
    }

    @Test
    void saysWhyItIsNotReady() {
        scheduler.health.setStatus("", ServingStatus.NOT_SERVING);
        problem(get("/readyz"), 503, "not_ready");

        scheduler.close();
        problem(get("/readyz"), 503, "unavailable");
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void countsRequestsByRouteAndStatus() {
        get("/api/v1/runs/nope");
        get("/made/up");

        var metrics = get("/metrics").body();

        assertThat(metrics)
                .contains(
                        "millrace_http_request_duration_seconds_count{method=\"GET\",route=\"/api/v1/runs/{id}\",status=\"404\"} 1")
                .contains("route=\"none\",status=\"404\"")
                .contains("jvm_memory_used_bytes")
                .doesNotContain("made/up");
    }

    @Test
    void servesTheReferenceOfTheApiBelowAnyPath() {
        assertThat(get("/").body()).contains("=\"./api/v1/openapi.yaml\"");
        assertThat(get("/docs").body()).contains("=\"./assets/");
        assertThat(get("/docs/").body()).contains("=\"../assets/");
        assertThat(get("/docs/submitRun").body()).contains("=\"../assets/");
        assertThat(get("/api/v1/openapi.yaml").body()).startsWith("openapi: 3.1");
        // Relative, since only a proxy in front knows the path of the gateway.
        assertThat(get("/api/v1/docs").headers().firstValue("location")).hasValue("../../docs");
        assertThat(get("/api/v1/docs/").headers().firstValue("location")).hasValue("../../../docs");
        problem(get("/api/v1/docs/other.js"), 404, "no_such_address");
    }
}
