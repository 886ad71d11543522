package dev.millrace.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import org.junit.jupiter.api.Test;

class ExplainEndpointTest extends GatewayTest {
    @Test
    void tellsWhatARunWaitsFor() {
        var explained = json(get("/api/v1/runs/r1/explanation"));

        assertThat(explained.path("summary").asText()).isEqualTo("It waits.");
        assertThat(explained.path("steps").path(0).toString())
                .isEqualTo("{\"step\":\"send\",\"cause\":\"no_worker\",\"text\":\"No worker.\"}");
        assertThat(explained.path("steps_left_out").asInt()).isEqualTo(2);
    }

    @Test
    void knowsNoOtherRun() {
        assertThat(get("/api/v1/runs/r2/explanation").statusCode()).isEqualTo(404);
    }
}
