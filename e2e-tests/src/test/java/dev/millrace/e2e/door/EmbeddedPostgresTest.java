package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Postgres of {@code millrace dev} runs programs for its superuser. A confined script can connect to its port, but
 * must not be able to log in.
 */
@Tag("nightly")
final class EmbeddedPostgresTest {
    private static final Pattern POSTGRES = Pattern.compile("Postgres +postgres://.*@localhost:(\\d+)/");

    /**
     * Begins to log in to Postgres as its superuser, and returns the answer. Kind 0 would be a login, 10 a request to
     * prove a password, anything else an error.
     */
    private static final String INTRUDER = """
            export async function main(port: number) {
              const connection = await Deno.connect({ hostname: "127.0.0.1", port });
              const names = new TextEncoder().encode("user\\0postgres\\0database\\0postgres\\0\\0");
              const hello = new Uint8Array(8 + names.length);
              const view = new DataView(hello.buffer);
              view.setUint32(0, hello.length);
              view.setUint32(4, 196608);
              hello.set(names, 8);
              await connection.write(hello);
              const answer = new Uint8Array(4096);
              await connection.read(answer);
              connection.close();
              return { type: String.fromCharCode(answer[0]), kind: new DataView(answer.buffer).getUint32(5) };
            }
            """;

    /** {@code AuthenticationSASL} of Postgres's protocol. */
    private static final int PASSWORD_WANTED = 10;

    @Test
    void letsNobodyInWithoutItsPassword(@TempDir Path folder) throws Exception {
        try (DevProcess dev = DevProcess.start(folder)) {
            int port = Integer.parseInt(dev.found(POSTGRES));
            var api = new Api(dev.gatewayUrl());
            assertThatDevIsClosedBehindAProxy(dev.gatewayUrl());

            for (String password : List.of("", "postgres")) {
                assertThatThrownBy(() -> DriverManager.getConnection(
                                "jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", password))
                        .isInstanceOf(SQLException.class);
            }
            api.deployScript("door/intruder.ts", INTRUDER);
            JsonNode run =
                    api.runToEnd(Map.of("target", Map.of("script", "door/intruder.ts"), "input", Map.of("port", port)));

            assertThat(run.path("state").asText()).as("%s", run).isEqualTo("succeeded");
            assertThat(run.path("output").path("type").asText()).as("%s", run).isEqualTo("R");
            assertThat(run.path("output").path("kind").asInt()).as("%s", run).isEqualTo(PASSWORD_WANTED);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                            MillraceHome.find().path().resolve(".millrace"))))
                    .isEqualTo("rwx------");
        }
    }

    /** Attack 24: a proxy on this machine opens {@code dev} to others. Whoever it lets in needs a token. */
    private static void assertThatDevIsClosedBehindAProxy(URI rest) throws IOException {
        String own = rest.getAuthority();
        String whoAmI = "GET /api/v1/whoami";
        assertThat(LocalCallerTest.send(rest, whoAmI, own, "Accept: */*")).startsWith("HTTP/1.1 200 ");
        assertThat(LocalCallerTest.send(rest, whoAmI, own, "X-Forwarded-For: 203.0.113.7"))
                .startsWith("HTTP/1.1 401 ");
        assertThat(LocalCallerTest.send(rest, whoAmI, "millrace.example", "Accept: */*"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(LocalCallerTest.send(rest, whoAmI, "203.0.113.1", "Accept: */*"))
                .startsWith("HTTP/1.1 401 ");
    }
}
