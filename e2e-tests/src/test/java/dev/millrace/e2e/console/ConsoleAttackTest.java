package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fills every field that people and jobs can fill with text that tries to be code, and opens every page in a browser.
 * The texts follow from a seed, which {@code -Dmillrace.test.seed} repeats.
 */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleAttackTest {
    private static final Path PICTURES = Path.of("target", "console-attack");

    @Test
    void takesTextForNoMoreThanText(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        int seed = Seed.random("The attack on the console").nextInt();

        JsonNode seen = chromium.run(
                "console_attack.mjs",
                Map.of("gateway", installation.cluster().gatewayUrl().toString(), "seed", seed),
                PICTURES);

        System.out.println("%s attacks on %s pages".formatted(seen.path("attacks"), seen.path("pages")));
        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
