package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

/**
 * Address on which the scheduler listens.
 *
 * @param host loopback by default
 * @param port 0 means any free port
 */
public record GrpcConfig(String host, int port) {
    /** Loopback, because the scheduler does not authenticate its callers: only this machine may call by default. */
    static final String HOST_DEFAULT = "127.0.0.1";

    static final int PORT_DEFAULT = 8401;
    private static final int PORT_MAX = 65_535;

    public GrpcConfig {
        requireNonNull(host, "host");
        Expect.that(port >= 0 && port <= PORT_MAX, "millrace.grpc.port", port, "0 to " + PORT_MAX);
    }
}
