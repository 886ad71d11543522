package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
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

    @Test
    void takesAnswersByLinksWithoutALogin(@TempDir Path folder) throws Exception {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(folder, "--require-auth")) {
            Api owner = new Api(
                    dev.gatewayUrl(),
                    Files.readString(Path.of(dev.found(TOKEN))).strip());
            owner.deployFlow("""
                    millrace: v1
                    name: door/phone
                    steps:
                      - id: ask
                        wait:
                          approval: release
                          details:
                            title: Ship version 7?
                            form: {type: object, properties: {why: {type: string}}}
                    """, Map.of());
            Map<String, Object> spec = Map.of("target", Map.of("flow", "door/phone"));
            String accepted = owner.submit(spec);
            String denied = owner.submit(spec);

            JsonNode seen = chromium.run(
                    "console_phone.mjs",
                    Map.of(
                            "gateway", dev.gatewayUrl().toString(),
                            "question", "Ship version 7?",
                            "accepted", link(owner, accepted, "accept_path"),
                            "denied", link(owner, denied, "deny_path")),
                    PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
            assertThat(owner.awaitEnd(accepted).path("state").asText()).isEqualTo("succeeded");
            assertThat(owner.awaitEnd(denied).path("state").asText()).isEqualTo("failed");
            assertThat(dev.output()).containsPattern("ready\\..*\\R +console +http://localhost:\\d+/\\R");
        }
    }

    private static String link(Api owner, String run, String kind) {
        return owner.post("/api/v1/runs/" + run + "/wait-links", Map.of("step", "ask", "actors", List.of("owner")))
                .ok()
                .path("items")
                .path(0)
                .path(kind)
                .asText();
    }

    @Test
    void offersOnEachPageWhatEachPersonMayDo(@TempDir Path folder) throws Exception {
        Chromium chromium = Chromium.findOrSkip();
        try (DevProcess dev = DevProcess.start(folder, "--require-auth")) {
            Api owner = new Api(
                    dev.gatewayUrl(),
                    Files.readString(Path.of(dev.found(TOKEN))).strip());
            owner.deployFlow(FLOW, Map.of());
            owner.deployFlow(FLOW.replace("door/ask", "shop/ask"), Map.of());
            for (String place : List.of("door", "shop")) {
                owner.put("/api/v1/secrets/" + place + "/key", Map.of("value", "a-secret-of-the-test"));
                owner.put(
                        "/api/v1/schedules/" + place + "/nightly",
                        Map.of(
                                "run", Map.of("target", Map.of("flow", place + "/ask")),
                                "cron", List.of("30 2 * * *")));
            }
            String here = owner.submit(RUN);
            String elsewhere = owner.submit(Map.of("target", Map.of("flow", "shop/ask")));

            Map<String, Object> developer = person(
                    owner,
                    "dora",
                    Map.of("role", "developer", "folder", "door"),
                    Map.of(),
                    List.of(
                            page("/runs/" + here, List.of("Approve", "Cancel run", "Run again"), List.of()),
                            page(
                                    "/runs/" + here + "?step=ask",
                                    List.of("Rerun from this step", "Skip this step"),
                                    List.of()),
                            page("/flows/door/ask", List.of("Start", "Edit", "Schedule"), List.of()),
                            page("/schedules/door/nightly", List.of("Start now", "Edit", "Delete"), List.of()),
                            page("/settings", List.of("New secret", "New value", "Delete"), List.of()),
                            page("/runs", List.of(), List.of()),
                            page("/approvals", List.of("Approve", "Deny"), List.of()),
                            page("/", List.of(), List.of()),
                            page("/triggers", List.of("New webhook"), List.of())),
                    List.of("Approvals", "Settings"),
                    List.of("Alerts"));
            Map<String, Object> runner = person(
                    owner,
                    "rita",
                    Map.of("role", "runner"),
                    Map.of("folders", List.of("shop")),
                    List.of(
                            page(
                                    "/runs/" + elsewhere + "?step=ask",
                                    List.of("Approve", "Cancel run", "Run again"),
                                    List.of("Rerun from this step", "Skip this step")),
                            page("/flows/shop/ask", List.of("Start"), List.of("Edit", "Schedule")),
                            page("/flows", List.of(), List.of("New flow")),
                            page("/editor/flow", List.of(), List.of("Deploy", "Run the draft")),
                            page("/schedules", List.of(), List.of("New schedule")),
                            page(
                                    "/schedules/shop/nightly",
                                    List.of("Start now"),
                                    List.of("Edit", "Pause", "Backfill", "Delete")),
                            page("/settings", List.of(), List.of("New secret", "New value", "Delete")),
                            page("/triggers", List.of(), List.of("New webhook")),
                            page("/scripts", List.of(), List.of("New script"))),
                    List.of("Runs"),
                    List.of("Alerts"));

            JsonNode seen = chromium.run(
                    "console_roles.mjs",
                    Map.of("gateway", dev.gatewayUrl().toString(), "people", List.of(developer, runner)),
                    PICTURES);

            assertThat(seen.path("findings"))
                    .as("findings; pictures are in %s", PICTURES)
                    .isEmpty();
        }
    }

    /** Creates a user with a role, and issues a token with restrictions. */
    private static Map<String, Object> person(
            Api owner,
            String name,
            Map<String, Object> role,
            Map<String, Object> restrictions,
            List<Map<String, Object>> pages,
            List<String> places,
            List<String> noPlaces) {
        owner.post("/api/v1/users", Map.of("name", name)).ok();
        Map<String, Object> binding = new HashMap<>(role);
        binding.put("subject", "user:" + name);
        owner.post("/api/v1/roles", binding).ok();
        JsonNode issued = owner.post("/api/v1/tokens", Map.of("name", name, "user", name, "restrictions", restrictions))
                .ok();
        return Map.of(
                "name",
                name,
                "token",
                issued.path("secret").asText(),
                "pages",
                pages,
                "places",
                places,
                "noPlaces",
                noPlaces);
    }

    private static Map<String, Object> page(String path, List<String> offers, List<String> hides) {
        return Map.of("path", path, "offers", offers, "hides", hides);
    }
}
