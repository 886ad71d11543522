package dev.millrace.gateway;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.ChannelSecurity;
import dev.millrace.tls.ClientTls;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.LoopbackTarget;
import dev.millrace.tls.TlsException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * TLS of a gateway on both its sides.
 *
 * @param http the gateway's certificate and key; empty means plain text
 * @param isHttpPlaintextAllowed whether callers of other machines may come in plain text, because something else encrypts
 *     their connections
 * @param scheduler TLS of the connection to the scheduler; empty means plain text
 * @param isSchedulerPlaintextAllowed whether tokens may go to a scheduler on another machine in plain text, because
 *     something else encrypts the connection
 */
public record GatewayTls(
        Optional<KeyFiles> http,
        boolean isHttpPlaintextAllowed,
        Optional<ClientTls> scheduler,
        boolean isSchedulerPlaintextAllowed) {
    static final String HTTP_CERTIFICATE = "millrace.http.tls.certificate";
    static final String HTTP_KEY = "millrace.http.tls.key";
    static final String HTTP_ALLOW_PLAINTEXT = "millrace.http.allow-plaintext";
    static final String SCHEDULER_ALLOW_PLAINTEXT = "millrace.scheduler.allow-plaintext";

    public GatewayTls {
        requireNonNull(http, "http");
        requireNonNull(scheduler, "scheduler");
    }

    /** Reads the settings by their keys. Fails with {@link IllegalArgumentException} if some are missing. */
    static GatewayTls read(Function<String, Optional<String>> settings) {
        return new GatewayTls(
                KeyFiles.of(
                        HTTP_CERTIFICATE,
                        settings.apply(HTTP_CERTIFICATE).map(Path::of),
                        HTTP_KEY,
                        settings.apply(HTTP_KEY).map(Path::of)),
                isTrue(settings, HTTP_ALLOW_PLAINTEXT),
                ClientTls.read(settings),
                isTrue(settings, SCHEDULER_ALLOW_PLAINTEXT));
    }

    /** Fails with {@link IllegalArgumentException} if tokens would leave the machine in plain text. */
    void requireProtection(String host, String schedulerTarget) {
        if (http.isEmpty() && !isHttpPlaintextAllowed && !LoopbackTarget.isHost(host)) {
            throw new TlsException("The gateway would listen on " + host
                    + " without TLS, so others on the network could"
                    + " read tokens and inputs. Set " + HTTP_CERTIFICATE + " and " + HTTP_KEY
                    + ". If something else encrypts the connections, such as a proxy, set " + HTTP_ALLOW_PLAINTEXT
                    + " to true. To listen for this machine alone, set millrace.http.host to 127.0.0.1.");
        }
        ChannelSecurity.requireNoPlaintext(
                schedulerTarget,
                scheduler,
                "the tokens of callers",
                isSchedulerPlaintextAllowed,
                "set " + SCHEDULER_ALLOW_PLAINTEXT + " to true");
    }

    private static boolean isTrue(Function<String, Optional<String>> settings, String key) {
        String value = settings.apply(key).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(key + ": " + value + " (expected: true or false)");
        }
        return value.equals("true");
    }
}
