package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.tls.LoopbackTarget;
import java.util.Optional;

/**
 * Address on which the scheduler listens, and how its connections are protected.
 *
 * @param host loopback by default
 * @param port 0 means any free port
 * @param tls absent means plain text
 * @param isPlaintextAllowed whether the server may use plain text beyond the own machine, because something else
 *     encrypts its connections
 */
public record GrpcConfig(String host, int port, Optional<GrpcTlsConfig> tls, boolean isPlaintextAllowed) {
    /** Loopback, where nobody else can read tokens: other machines need TLS. */
    static final String HOST_DEFAULT = "127.0.0.1";

    static final int PORT_DEFAULT = 8401;
    private static final int PORT_MAX = 65_535;

    public GrpcConfig {
        requireNonNull(host, "host");
        requireNonNull(tls, "tls");
        Expect.that(port >= 0 && port <= PORT_MAX, "millrace.grpc.port", port, "0 to " + PORT_MAX);
    }

    /** An address without TLS. */
    public GrpcConfig(String host, int port) {
        this(host, port, Optional.empty(), false);
    }

    GrpcConfig withPort(int value) {
        return new GrpcConfig(host, value, tls, isPlaintextAllowed);
    }

    /** Fails if other machines could reach the server and others could read what they send. */
    public void requireProtection() {
        if (tls.isEmpty() && !isPlaintextAllowed && !LoopbackTarget.isHost(host)) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "The scheduler would listen on " + host + " without TLS, so others on the network could read tokens"
                            + " and inputs. Set " + KnownKeys.GRPC_TLS_CERTIFICATE + " and " + KnownKeys.GRPC_TLS_KEY
                            + ". If something else encrypts the connections, such as a proxy, set "
                            + KnownKeys.GRPC_ALLOW_PLAINTEXT + " to true. To listen for this machine alone, set "
                            + KnownKeys.GRPC_HOST + " to " + HOST_DEFAULT + ".");
        }
    }
}
