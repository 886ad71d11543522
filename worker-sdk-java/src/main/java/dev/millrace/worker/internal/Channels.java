package dev.millrace.worker.internal;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Opens channels to the scheduler. */
public final class Channels {
    static final int INBOUND_MESSAGE_BYTES_MAX = 64 << 20;

    /** A connection that is silent this long is asked for a sign of life, for the calls beside the session. gRPC takes no less. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** If no sign of life comes in this time, the connection is given up and its calls fail. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(4);

    private Channels() {}

    /** A channel whose messages are handled on its event loop: what the session does with them never blocks. */
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
