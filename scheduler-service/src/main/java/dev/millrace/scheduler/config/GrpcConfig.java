package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

/**
 * Where the scheduler listens.
 *
 * @param host address to listen on; loopback unless told otherwise
 * @param port 0 takes a free one
 */
public record GrpcConfig(String host, int port) {
    /** Nothing asks a caller who it is, so nobody outside this machine may call unless told otherwise. */
    static final String HOST_DEFAULT = "127.0.0.1";

    static final int PORT_DEFAULT = 8401;
    private static final int PORT_MAX = 65_535;

    public GrpcConfig {
        requireNonNull(host, "host");
        Expect.that(port >= 0 && port <= PORT_MAX, "millrace.grpc.port", port, "0 to " + PORT_MAX);
    }
}
