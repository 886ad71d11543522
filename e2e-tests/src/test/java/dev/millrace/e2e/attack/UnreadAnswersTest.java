package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.proto.access.v1.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attack 31: callers ask for everything that a gateway with a heap of 256 MB answers, and take none of it: answers that need no
 * scheduler, refusals, files and streams, before the gateway knows them and after.
 */
@Tag("nightly")
final class UnreadAnswersTest {
    private static final Pattern SCRIPT = Pattern.compile("src=\"\\./(assets/first-[^\"]+)\"");

    private static final int REQUESTS = 1_000;
    private static final int CONNECTIONS = 12;
    /** Sent as one frame after the other, 17 bytes each. */
    private static final int FRAMES = 4_000_000;
    /** Each of these connections sends fewer frames, and all of them wait at the same time. */
    private static final int MANY_CONNECTIONS = 500;

    private static final int FEW_FRAMES = 20_000;
    /** More than what lies in the buffers of both systems. */
    private static final long READ_BYTES_MAX = 24 << 20;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static URI gateway;
    private static String user;
    private static List<String> paths;

    @BeforeAll
    static void start() throws Exception {
        installation = GuardedInstallation.start("attack-unread", folder);
        gateway = installation.cluster().gatewayUrl();
        user = installation.user("default", "", Role.ROLE_DEVELOPER);
        var page = SCRIPT.matcher(get("/"));
        assertThat(page.find()).isTrue();
        paths = List.of(
                "/" + page.group(1),
                "/api/v1/openapi.yaml",
                "/",
                "/runs/one" + "/x".repeat(20),
                "/api/v1/docs",
                "/nowhere",
                "/api/v1/nowhere",
                "/api/v1/runs?no_such=parameter",
                "/api/v1/runs",
                "/api/v1/whoami",
                "/api/v1/runs/events",
                "/metrics",
                "/livez",
                "/readyz");
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theGatewayOutlivesWhoeverReadsNothing(boolean isKnown) throws Exception {
        var token = isKnown ? Optional.of(user) : Optional.<String>empty();
        for (String path : paths) {
            try (var caller = new UnreadCaller(gateway, token)) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    caller.pipeline("GET", path, REQUESTS);
                    caller.pipeline("HEAD", path, REQUESTS);
                    caller.streams(path, REQUESTS, false);
                    caller.streams(path, REQUESTS, true);
                }
                requireAlive("requests for " + path);
            }
        }
        // Addresses with thousands of parts once had answers of their own.
        try (var caller = new UnreadCaller(gateway, token)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                caller.pipeline("GET", "/runs" + "/x".repeat(3_000), REQUESTS);
            }
            requireAlive("requests for deep addresses");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theGatewayReadsNoMoreFromThoseWhoTakeNoAcknowledgments(boolean isPing) throws Exception {
        try (var caller = new UnreadCaller(gateway, Optional.empty())) {
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(caller.acknowledged(isPing, FRAMES)).isLessThan(READ_BYTES_MAX);
            }
            requireAlive("frames to acknowledge");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acknowledgmentsOfManyConnectionsFitIntoASmallHeap(boolean isPing) throws Exception {
        try (var caller = new UnreadCaller(gateway, Optional.empty())) {
            for (int i = 0; i < MANY_CONNECTIONS; i++) {
                caller.acknowledged(isPing, FEW_FRAMES);
            }
            requireAlive("frames to acknowledge on many connections");
        }
    }

    private static void requireAlive(String attack) throws Exception {
        var process = installation.cluster().gateway();
        assertThat(get("/livez")).as(attack).contains("live");
        assertThat(process.isAlive()).as(attack).isTrue();
    }

    /** A connection of its own, as of somebody who comes later. */
    private static String get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(gateway.resolve(path))
                .timeout(Duration.ofSeconds(Api.PATIENCE.toSeconds()))
                .build();
        return HTTP.send(request, BodyHandlers.ofString()).body();
    }
}
