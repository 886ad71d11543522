package dev.millrace.tls;

import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections between a scheduler and the workers in its own process. They use the protocol of all other connections,
 * but no port: nobody outside the process can reach, read or imitate them, so they need neither TLS nor a token.
 */
public final class InProcess {
    private static final String SCHEME = "in-process:";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private InProcess() {}

    /** The threads of all such connections of this process. */
    private static final class Threads {
        static final EventLoopGroup ALL = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory("in-process", true),
                LocalIoHandler.newFactory());
    }

    /** A target that no other scheduler of this process has. */
    public static String newTarget() {
        return SCHEME + NAMES.incrementAndGet();
    }

    /** Whether connections to the target stay within this process. */
    public static boolean isTarget(String target) {
        return target.startsWith(SCHEME);
    }

    /** Whether whoever is at this end of a connection is in this process. */
    public static boolean isPeer(@Nullable SocketAddress peer) {
        return peer instanceof LocalAddress;
    }

    /** A server for the target. */
    public static NettyServerBuilder server(String target) {
        return NettyServerBuilder.forAddress(new LocalAddress(target))
                .channelType(LocalServerChannel.class)
                .bossEventLoopGroup(Threads.ALL)
                .workerEventLoopGroup(Threads.ALL);
    }

    /** A channel to the target. */
    public static NettyChannelBuilder channel(String target) {
        return NettyChannelBuilder.forAddress(new LocalAddress(target))
                .channelType(LocalChannel.class, LocalAddress.class)
                .eventLoopGroup(Threads.ALL)
                .overrideAuthority("localhost");
    }
}
