package dev.millrace.worker.internal;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Opens channels to the scheduler. */
public final class Channels {
    static final int INBOUND_MESSAGE_BYTES_MAX = 64 << 20;

    /** After this time of silence a connection is pinged, for the calls beside the session. gRPC accepts no less. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** If a ping is not answered within this time, the connection is closed and its calls fail. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(4);

    private Channels() {}

    /** Returns a channel that handles messages on its event loop: the session's handlers never block. */
    public static ManagedChannel open(String target) {
        return NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                .directExecutor()
                .keepAliveTime(PING_INTERVAL.toSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(PING_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .maxInboundMessageSize(INBOUND_MESSAGE_BYTES_MAX)
                .build();
    }

    /** Name of this machine, the default name of a worker. */
    public static String hostName() {
        String name = System.getenv("HOSTNAME");
        if (name == null || name.isBlank()) {
            try {
                name = java.net.InetAddress.getLocalHost().getHostName();
            } catch (java.net.UnknownHostException e) {
                name = "worker";
            }
        }
        return name;
    }
}
