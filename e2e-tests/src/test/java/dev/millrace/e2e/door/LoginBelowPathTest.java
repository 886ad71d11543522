package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in to the console below a path of another site, and answers a signed link on a phone. */
@Tag("nightly")
final class LoginBelowPathTest {
    private static final Path PICTURES = Path.of("target", "login-below-path");
    private static final Pattern TOKEN = Pattern.compile("token +(\\S+)  \\(of the first owner\\)");
    private static final String QUESTION = "Ship version 7?";
    private static final Map<String, Object> RUN = Map.of("target", Map.of("flow", "door/ship"));

    @Test
    void loginsAndLinksWorkBelowAPath(@TempDir Path folder) throws Exception {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(folder, "--require-auth")) {
            String token = Files.readString(Path.of(dev.found(TOKEN))).strip();
            Api owner = new Api(dev.gatewayUrl(), token);
            owner.deployFlow(
                    "{millrace: v1, name: door/ship, steps: [{id: ask, wait: {approval: ship, details: {title: '"
                            + QUESTION + "'}}}]}",
                    Map.of());
            String linked = owner.submit(RUN);

            JsonNode seen = chromium.run(
                    "login_below_path.mjs",
                    Map.of(
                            "gateway",
                            dev.gatewayUrl().toString(),
                            "owner",
                            token,
                            "run",
                            owner.submit(RUN),
                            "question",
                            QUESTION,
                            "link",
                            owner.post(
                                            "/api/v1/runs/" + linked + "/wait-links",
                                            Map.of("step", "ask", "actors", List.of("owner")))
                                    .ok()
                                    .path("items")
                                    .path(0)
                                    .path("accept_path")
                                    .asText()),
                    PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
            assertThat(owner.awaitEnd(linked).path("state").asText()).isEqualTo("succeeded");
        }
    }
}
