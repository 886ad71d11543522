package dev.millrace.cli.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.MillraceClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DeviceLoginTest {
    private static final String TOKEN = "{\"access_token\":\"mru_abc\",\"token_type\":\"Bearer\",\"expires_in\":600}";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @AutoClose
    private final MillraceClient client = new MillraceClient(URI.create(gateway.url()));

    private final List<Duration> pauses = new ArrayList<>();
    private final DeviceLogin login = new DeviceLogin(client, pauses::add);

    @Test
    void asksAsOftenAsTheServerWants() {
        answer(400, "{\"error\":\"authorization_pending\"}");
        answer(400, "{\"error\":\"slow_down\"}");
        answer(400, "{\"error\":\"authorization_pending\"}");
        answer(200, TOKEN);

        assertThat(login.await(code(600, 2)).text()).isEqualTo("mru_abc");

        assertThat(pauses).containsExactly(seconds(2), seconds(2), seconds(7), seconds(7));
        assertThat(gateway.requests().getLast().form())
                .isEqualTo("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                        + "&device_code=d%2F1&client_id=millrace-cli");
    }

    @Test
    void asksAgainLaterIfTheServerIsAway() {
        answer(503, "{\"detail\":\"No scheduler answers.\"}");
        answer(200, TOKEN);

        assertThat(login.await(code(600, 3)).text()).isEqualTo("mru_abc");
        assertThat(pauses).containsExactly(seconds(3), seconds(6));
    }

    @Test
    void endsIfThePersonDeniesIt() {
        answer(400, "{\"error\":\"access_denied\"}");

        fails(code(600, 1), "The login was denied in the browser.");
    }

    @Test
    void endsWhenTheCodeExpires() {
        answer(400, "{\"error\":\"authorization_pending\"}");

        fails(code(10, 3), "The code has expired before anybody approved the login. Log in again.");
        assertThat(gateway.requests()).hasSize(4);
    }

    @Test
    void endsWhenTheServerSaysThatTheCodeHasExpired() {
        answer(400, "{\"error\":\"expired_token\"}");

        fails(code(600, 3), "The code has expired");
    }

    @Test
    void neverAsksWithoutAPause() {
        answer(200, TOKEN);

        login.await(code(600, 0));

        assertThat(pauses).containsExactly(seconds(1));
    }

    private void answer(int status, String json) {
        gateway.on("POST /oauth/token", status, json);
    }

    private void fails(DeviceCode code, String message) {
        assertThatThrownBy(() -> login.await(code))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED))
                .hasMessageStartingWith(message);
    }

    private static DeviceCode code(int validForSeconds, int intervalSeconds) {
        return new DeviceCode(
                "d/1", "BCDF-GHJK", "http://a/device", "", seconds(validForSeconds), seconds(intervalSeconds));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
