package dev.millrace.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import org.junit.jupiter.api.Test;

class TraceEndpointTest extends GatewayTest {
    @Test
    void showsTheSpansOfARun() {
        var trace = json(get("/api/v1/runs/r1/trace"));

        assertThat(trace.path("trace_id").asText()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        var span = trace.path("spans").path(0);
        assertThat(span.path("name").asText()).isEqualTo("run hello");
        assertThat(span.path("status").asText()).isEqualTo("error");
        assertThat(span.path("attributes").path("n").asInt()).isEqualTo(3);
        assertThat(span.path("events").path(0).path("name").asText()).isEqualTo("exception");
    }

    @Test
    void answersThatThereIsNoSuchRun() {
        assertThat(get("/api/v1/runs/r2/trace").statusCode()).isEqualTo(404);
    }
}
