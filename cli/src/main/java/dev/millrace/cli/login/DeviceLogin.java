package dev.millrace.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Token;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Gets a token for a person who allows it in a browser, on this or another device (RFC 8628). */
final class DeviceLogin {
    private static final String CLIENT_ID = "millrace-cli";
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
    /** What the server adds to the interval by the answer {@code slow_down}. */
    private static final Duration SLOWER = Duration.ofSeconds(5);
    /** Shortest time between two questions, whatever the server says. */
    private static final Duration INTERVAL_MIN = Duration.ofSeconds(1);

    private static final int NAME_LENGTH_MAX = 100;

    private final MillraceClient client;
    private final Consumer<Duration> pause;

    /** @param pause waits this long */
    DeviceLogin(MillraceClient client, Consumer<Duration> pause) {
        this.client = client;
        this.pause = pause;
    }

    DeviceCode begin() {
        return DeviceCode.of(client.postForm(
                        ApiPath.shared("/device-authorizations"), "client_id", CLIENT_ID, "client_name", clientName())
                .orFail(client.connection()));
    }

    /** What the person sees in the browser before allowing the login. */
    private static String clientName() {
        try {
            String name = "millrace on " + InetAddress.getLocalHost().getHostName();
            return name.substring(0, Math.min(name.length(), NAME_LENGTH_MAX));
        } catch (UnknownHostException nameless) {
            return "millrace on a machine without a name";
        }
    }

    /** Waits until the person has approved the login. */
    Token await(DeviceCode code) {
        Duration interval = code.interval().compareTo(INTERVAL_MIN) < 0 ? INTERVAL_MIN : code.interval();
        Duration waited = Duration.ZERO;
        while (waited.compareTo(code.validFor()) < 0) {
            pause.accept(interval);
            waited = waited.plus(interval);
            Optional<MillraceClient.Answer> answer = ask(code);
            if (answer.isEmpty()) {
                interval = interval.multipliedBy(2);
                continue;
            }
            JsonNode body = answer.get().body();
            String token = Json.text(body, "access_token");
            if (!token.isEmpty()) {
                return new Token(token, "the login");
            }
            switch (Json.text(body, "error")) {
                case "authorization_pending" -> {}
                case "slow_down" -> interval = interval.plus(SLOWER);
                case "access_denied" ->
                    throw new CommandFailure(ExitCode.NOT_ALLOWED, "The login was denied in the browser.");
                case "expired_token" -> throw expired();
                default -> answer.get().orFail(client.connection());
            }
        }
        throw expired();
    }

    /** Empty if no answer came, which the next question may repair. */
    private Optional<MillraceClient.Answer> ask(DeviceCode code) {
        try {
            return Optional.of(client.postForm(
                    ApiPath.shared("/oauth/token"),
                    "grant_type",
                    GRANT,
                    "device_code",
                    code.secret(),
                    "client_id",
                    CLIENT_ID));
        } catch (CommandFailure failure) {
            if (failure.exitCode() == ExitCode.UNREACHABLE) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static CommandFailure expired() {
        return new CommandFailure(
                ExitCode.NOT_ALLOWED, "The code has expired before anybody approved the login. Log in again.");
    }
}
