package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Json;
import dev.millrace.proto.access.v1.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Attack 24: a page of another site sends requests with the cookie of a visitor who has logged in. {@code LocalCallerTest}
 * has the attacks on callers without a cookie.
 */
final class BrowserAttackTest {
    private static final String RUN = "{\"target\":{\"handler\":\"nobody-offers-this\"},\"start_within\":\"1s\"}";

    @TempDir
    private static Path folder;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static GuardedInstallation installation;
    private static String cookie;

    @BeforeAll
    static void logIn() throws Exception {
        installation = GuardedInstallation.start("attack-browser", folder);
        String token = installation.user("default", "", Role.ROLE_DEVELOPER);
        HttpResponse<String> session = HTTP.send(
                to("/api/v1/session")
                        .POST(BodyPublishers.ofString(
                                Json.of(Map.of("token", token)).toString()))
                        .build(),
                BodyHandlers.ofString());
        assertThat(session.statusCode()).as(session.body()).isEqualTo(201);
        String set = session.headers().firstValue("set-cookie").orElseThrow();
        assertThat(set).contains("HttpOnly", "SameSite=Lax", "Path=/").doesNotContain(token);
        cookie = set.substring(0, set.indexOf(';'));
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    /** Method and address, Origin and Sec-Fetch-Site (- for none), and the status; OWN stands for the gateway's origin. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /api/v1/whoami,         -,                   -,           200",
        "POST,   /api/v1/runs,           OWN,                 same-origin, 202",
        "POST,   /api/v1/runs,           -,                   -,           403",
        "POST,   /api/v1/runs,           -,                   same-origin, 403",
        "POST,   /api/v1/runs,           null,                -,           403",
        "POST,   /api/v1/runs,           http://evil.example, cross-site,  403",
        "POST,   /api/v1/runs,           http://localhost,    same-site,   403",
        "POST,   /api/v1/session,        http://evil.example, -,           403",
        "PUT,    /api/v1/secrets/a,      http://evil.example, -,           403",
        "DELETE, /api/v1/flows/a,        http://evil.example, -,           403",
        "POST,   /logout,                http://evil.example, -,           403",
    })
    void aForeignPageChangesNothingWithTheCookieOfAVisitor(
            String method, String path, String origin, String site, int status)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = to(path).header("cookie", cookie)
                .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(RUN));
        if (!origin.equals("-")) {
            request.header("origin", origin.equals("OWN") ? gateway().toString() : origin);
        }
        if (!site.equals("-")) {
            request.header("sec-fetch-site", site);
        }

        HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("access-control-allow-origin")).isEmpty();
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(gateway().resolve(path)).header("content-type", "application/json");
    }

    private static URI gateway() {
        return installation.cluster().gatewayUrl();
    }
}
