package dev.millrace.worker.internal;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

/** Opens channels to the scheduler. */
public final class Channels {
    static final int INBOUND_MESSAGE_BYTES_MAX = 64 << 20;

    private Channels() {}

    /** A channel whose messages are handled on its event loop: what the session does with them never blocks. */
    public static ManagedChannel open(String target) {
        return NettyChannelBuilder.forTarget(target)
                .usePlaintext()
                .directExecutor()
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
