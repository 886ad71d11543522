package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts, approves and reruns in a browser with the keyboard alone. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleKeyboardTest {
    private static final Path PICTURES = Path.of("target", "console-keyboard");
    private static final String FLOW = "keyboard/ask";

    @Test
    void needsNoMouse(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployFlow(
                "{millrace: v1, name: " + FLOW + ", steps: [{id: ask, wait: {approval: release,"
                        + " details: {title: 'Release by keyboard?'}}}]}",
                Map.of());

        JsonNode seen = chromium.run(
                "console_keyboard.mjs",
                Map.of("gateway", installation.cluster().gatewayUrl().toString(), "flow", FLOW),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
