package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in to the console of a {@code dev} that knows people, as an owner and as somebody who may only look. */
@Tag("nightly")
final class ConsoleLoginTest {
    private static final Path PICTURES = Path.of("target", "console-login");
    private static final Pattern TOKEN = Pattern.compile("token +(\\S+)  \\(of the first owner\\)");
    private static final String FLOW = """
            millrace: v1
            name: door/ask
            steps:
              - {id: ask, wait: {approval: release}}
            """;

    private static final Map<String, Object> RUN = Map.of("target", Map.of("flow", "door/ask"));

    @Test
    void offersWhatTheTokenAllows(@TempDir Path folder) throws Exception {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(folder, "--require-auth")) {
            String token = Files.readString(Path.of(dev.found(TOKEN))).strip();
            Api owner = new Api(dev.gatewayUrl(), token);
            owner.deployFlow(FLOW, Map.of());
            JsonNode viewer = owner.post(
                            "/api/v1/tokens", Map.of("name", "look", "restrictions", Map.of("role_max", "viewer")))
                    .ok();

            JsonNode seen = chromium.run(
                    "console_login.mjs",
                    Map.of(
                            "gateway", dev.gatewayUrl().toString(),
                            "owner", token,
                            "viewer", viewer.path("secret").asText(),
                            "run", owner.submit(RUN),
                            "other", owner.submit(RUN)),
                    PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
        }
    }
}
