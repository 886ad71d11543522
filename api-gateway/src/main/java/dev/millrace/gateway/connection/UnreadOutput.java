package dev.millrace.gateway.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
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

    /** If more bytes wait, the connection is not read. Each message that waits counts some 100 bytes more than it has. */
    static final int UNREAD_BYTES_MAX = 32 << 10;

    /** If no more bytes than this wait, the connection is read again. */
    private static final int FEW_BYTES = 16 << 10;

    /**
     * Largest number of bytes that are handled before it is asked again whether much waits. A frame that must be acknowledged has
     * as few as 9, and its answer takes 300 on the heap.
     */
    static final int PIECE_BYTES_MAX = 4 << 10;

    /** Time within which a reader must take {@link #TAKEN_BYTES_MIN} while more than {@link #UNREAD_BYTES_MAX} wait. */
    static final Duration STALL_MAX = Duration.ofSeconds(20);

    /** Even a mobile phone at the edge of its network takes twice as much. */
    private static final int TAKEN_BYTES_MIN = 16 << 10;

    private final Duration stallMax;
    /** What has been read and not been handled. */
    private final Queue<ByteBuf> held = new ArrayDeque<>();

    private boolean isHandling;
    private boolean isReadWanted;
    private boolean isAutoReadOff;
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

    /** Asks for more only when all that was read has been handled. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (context.channel().isWritable() && held.isEmpty()) {
            context.read();
        } else {
            isReadWanted = true;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        held.add(bytes);
        handle(context);
    }

    /**
     * Hands on what has been read, piece by piece, until much waits. If some of it is left, nobody reads the socket: with
     * automatic reads it would be read without being asked for. Meanwhile others see and set them as if they were on.
     */
    private void handle(ChannelHandlerContext context) {
        if (isHandling) {
            return;
        }
        var config = context.channel().config();
        if (isAutoReadOff) {
            isAutoReadOff = false;
            config.setAutoRead(true);
        }
        isHandling = true;
        try {
            while (!held.isEmpty() && context.channel().isWritable()) {
                boolean isLastPiece = held.element().readableBytes() <= PIECE_BYTES_MAX;
                context.fireChannelRead(
                        isLastPiece ? held.remove() : held.element().readRetainedSlice(PIECE_BYTES_MAX));
            }
        } finally {
            isHandling = false;
        }
        if (!held.isEmpty() && config.isAutoRead()) {
            isAutoReadOff = true;
            isReadWanted = true;
            config.setAutoRead(false);
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
            goOn(context);
        }
        context.fireChannelWritabilityChanged();
    }

    /** Handles what is held, and then reads again if somebody has asked for it. */
    private void goOn(ChannelHandlerContext context) {
        if (isHandling) {
            return;
        }
        if (!held.isEmpty()) {
            handle(context);
            context.fireChannelReadComplete();
        }
        if (isReadWanted && held.isEmpty() && context.channel().isWritable()) {
            isReadWanted = false;
            context.read();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopLooking();
        release();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stopLooking();
        release();
    }

    private void release() {
        held.forEach(ByteBuf::release);
        held.clear();
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
