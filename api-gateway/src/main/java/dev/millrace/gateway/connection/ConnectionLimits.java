package dev.millrace.gateway.connection;

import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.memory.MemoryPart;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;

/** Limits of what a connection may cost, whoever is at its other end. */
public final class ConnectionLimits {

    /**
     * Largest number of streams that a client of HTTP/2 may reset within {@link #RESETS_SECONDS}. Each has begun work that its
     * end throws away.
     */
    private static final int RESETS_MAX = 400;

    private static final int RESETS_SECONDS = 60;

    private ConnectionLimits() {}

    /** Applies the limits to a server. Decorators that are added later are not guarded by them. */
    public static void apply(ServerBuilder server, MemoryPart calls) {
        server.http2MaxStreamsPerConnection(Connection.STREAMS_OF_STRANGERS_MAX)
                .http2MaxResetFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
                // One read at a time, at most 64 KiB: what it asks for is counted before the next one.
                .childChannelOption(
                        ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(1))
                .childChannelPipelineCustomizer(pipeline -> pipeline.addFirst(new UnreadOutput(), new WithoutUpgrade()))
                .decorator(delegate -> new ConnectionGuard(delegate, calls));
    }
}
