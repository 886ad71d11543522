package dev.millrace.gateway.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.util.Map;

/**
 * Takes the upgrade from HTTP/1.1 to HTTP/2 (h2c) out of a connection without TLS. A proxy that passes the header {@code Upgrade} on, as
 * many do for WebSockets, would let its client speak HTTP/2 past it: past its rules, and with any {@code X-Forwarded-For}. A client that
 * asks for the upgrade goes on with HTTP/1.1. HTTP/2 from the first byte on stays possible.
 *
 * <p>Armeria tells protocols apart by the first four bytes, and then adds its handler of upgrades. So these bytes are handed on
 * alone, and the handler is removed before it has seen a request. One event loop calls it.
 */
final class WithoutUpgrade extends ChannelInboundHandlerAdapter {

    private static final int TELLING_BYTES = 4;

    /** Armeria's class is not public. */
    private static final String UPGRADE_HANDLER = "com.linecorp.armeria.server.HttpServerUpgradeHandler";

    private int handedOn;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (handedOn == TELLING_BYTES || !(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        int missing = TELLING_BYTES - handedOn;
        boolean hasMore = bytes.readableBytes() > missing;
        handedOn += Math.min(bytes.readableBytes(), missing);
        context.fireChannelRead(hasMore ? bytes.readRetainedSlice(missing) : bytes);
        if (handedOn == TELLING_BYTES) {
            removeUpgradeFrom(context.pipeline());
        }
        if (hasMore) {
            context.fireChannelRead(bytes);
        }
    }

    private static void removeUpgradeFrom(ChannelPipeline pipeline) {
        for (Map.Entry<String, ?> handler : pipeline.toMap().entrySet()) {
            if (handler.getValue().getClass().getName().equals(UPGRADE_HANDLER)) {
                pipeline.remove(handler.getKey());
            }
        }
    }
}
