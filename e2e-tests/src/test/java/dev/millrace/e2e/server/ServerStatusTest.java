package dev.millrace.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What operators are told of what is kept. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ServerStatusTest {
    @Test
    void tellsWhatIsKeptAndThatItWasSwept(Installation installation) {
        Api api = installation.api();

        Await.until(
                "the first sweep of each table has come to its end",
                Api.PATIENCE,
                () -> StreamSupport.stream(retention(api).spliterator(), false)
                        .noneMatch(kept -> kept.path("sweep_time").asText().isEmpty()));
        JsonNode history = retention(api).path(0);
        var shown = new Cli(installation.cluster().gatewayUrl()).run("server", "status");

        assertThat(history.path("table").asText()).isEqualTo("job_history");
        assertThat(history.path("age").asText()).isEqualTo("2592000s");
        assertThat(history.path("bytes").asLong()).isPositive();
        assertThat(retention(api).findValuesAsText("error")).isEmpty();
        assertThat(shown.exitCode()).as(shown.errors()).isZero();
        assertThat(shown.output())
                .contains("Ended runs with their steps")
                .contains("30 d")
                .contains("Versions of flows")
                .contains("90 d");
    }

    private static JsonNode retention(Api api) {
        return api.get("/api/v1/server/status").ok().path("retention");
    }
}
