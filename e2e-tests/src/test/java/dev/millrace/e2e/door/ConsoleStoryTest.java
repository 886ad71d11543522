package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Chromium;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first five minutes of a newcomer, in a browser and on an empty {@code dev}, with limits of time. */
@Tag("nightly")
final class ConsoleStoryTest {
    private static final Path PICTURES = Path.of("target", "console-story");
    private static final long WHOLE_MILLIS_MAX = 120_000;

    @Test
    void leadsFromNothingToAScheduledFlow(@TempDir Path folder) {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(folder)) {
            JsonNode told = chromium.run(
                    "console_story.mjs", Map.of("gateway", dev.gatewayUrl().toString()), PICTURES);

            System.out.println("The stages took, in milliseconds: " + told.path("millis"));
            assertThat(told.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
            long whole = 0;
            for (JsonNode millis : told.path("millis")) {
                whole += millis.asLong();
            }
            assertThat(whole).isLessThan(WHOLE_MILLIS_MAX);
        }
    }
}
