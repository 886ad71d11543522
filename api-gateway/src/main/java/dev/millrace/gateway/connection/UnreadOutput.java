package dev.millrace.gateway.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what waits in a connection for a reader who does not read. While much waits, nothing more is read from the
 * connection, so that neither requests nor frames that HTTP/2 acknowledges (PING, SETTINGS) can add to it. A reader who
 * then takes next to nothing loses the connection.
 *
 * <p>It stands next to the socket, so it sees bytes as they are sent. One event loop calls it.
 */
public final class UnreadOutput extends ChannelDuplexHandler {

    /** If more bytes wait, the connection is not read. */
    static final int UNREAD_BYTES_MAX = 64 << 10;

    /** If no more bytes than this wait, the connection is read again. */
    private static final int FEW_BYTES = 32 << 10;

    /** Time within which a reader must take {@link #TAKEN_BYTES_MIN} while more than {@link #UNREAD_BYTES_MAX} wait. */
    static final Duration STALL_MAX = Duration.ofSeconds(20);

    /** Even a mobile phone at the edge of its network takes twice as much. */
    private static final int TAKEN_BYTES_MIN = 16 << 10;

    private final Duration stallMax;
    private boolean isReadHeld;
    private long writtenBytes;
    private long takenAtLastLook;
    private @Nullable Future<?> look;

    public UnreadOutput() {
        this(STALL_MAX);
    }

    UnreadOutput(Duration stallMax) {
        this.stallMax = stallMax;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.channel().config().setWriteBufferWaterMark(new WriteBufferWaterMark(FEW_BYTES, UNREAD_BYTES_MAX));
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.read();
        } else {
            isReadHeld = true;
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            writtenBytes += bytes.readableBytes();
        }
        var _ = context.write(message, promise);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            takenAtLastLook = takenBytes(context);
            lookLater(context);
        } else {
            stopLooking();
            if (isReadHeld) {
                isReadHeld = false;
                context.read();
            }
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopLooking();
        context.fireChannelInactive();
    }

    private void lookLater(ChannelHandlerContext context) {
        stopLooking();
        look = context.executor().schedule(() -> look(context), stallMax.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void stopLooking() {
        var scheduled = look;
        if (scheduled != null) {
            scheduled.cancel(false);
            look = null;
        }
    }

    private void look(ChannelHandlerContext context) {
        long taken = takenBytes(context);
        if (taken - takenAtLastLook < TAKEN_BYTES_MIN) {
            var _ = context.close();
            return;
        }
        takenAtLastLook = taken;
        lookLater(context);
    }

    /** Bytes that the socket has taken so far, give or take what Netty adds for each message that waits. */
    private long takenBytes(ChannelHandlerContext context) {
        var waiting = context.channel().unsafe().outboundBuffer();
        return waiting == null
                ? writtenBytes
                : writtenBytes - waiting.totalPendingWriteBytes() + waiting.currentProgress();
    }
}
