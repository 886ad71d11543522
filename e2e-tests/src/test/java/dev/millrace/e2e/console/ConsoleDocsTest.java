package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Opens the reference of the REST API in a browser, searches it, and clicks. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleDocsTest {
    private static final Path PICTURES = Path.of("target", "console-docs");
    private static final int LIMIT_MILLIS = 2_000;

    @Test
    void answersEachClickAtOnce(Installation installation) {
        Chromium chromium = Chromium.findOrSkip();

        JsonNode seen = chromium.run(
                "console_docs.mjs",
                Map.of("gateway", installation.cluster().gatewayUrl().toString(), "limit_millis", LIMIT_MILLIS),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; it took %s ms; pictures are in %s", seen.path("times"), PICTURES)
                .isEmpty();
    }
}
