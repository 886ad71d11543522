package dev.millrace.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The socket of these tests takes what is flushed. */
class UnreadOutputTest {

    private static final int MUCH_BYTES = UnreadOutput.UNREAD_BYTES_MAX + 1;

    private final Reads reads = new Reads();
    private final List<Integer> handled = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(reads, new UnreadOutput());

    /** Counts how often the socket is read. */
    private static final class Reads extends ChannelOutboundHandlerAdapter {
        private int count;

        @Override
        public void read(ChannelHandlerContext context) {
            count++;
        }
    }

    /** Notes what it is given, and writes an answer that nobody flushes. */
    private final class Answers extends ChannelInboundHandlerAdapter {
        private final int answerBytes;

        Answers(int answerBytes) {
            this.answerBytes = answerBytes;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var bytes = (ByteBuf) message;
            handled.add(bytes.readableBytes());
            bytes.release();
            context.write(Unpooled.wrappedBuffer(new byte[answerBytes]));
            context.fireChannelRead(Unpooled.EMPTY_BUFFER);
        }
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void readsNothingFromThoseWhoDoNotRead() {
        channel.write(Unpooled.wrappedBuffer(new byte[MUCH_BYTES]));
        int before = reads.count;

        channel.read();

        assertThat(reads.count).isEqualTo(before);
        channel.flush();
        assertThat(reads.count).isEqualTo(before + 1);
    }

    @Test
    void handlesNoMoreThanAPieceOnceMuchWaits() {
        channel.pipeline().addLast(new Answers(MUCH_BYTES));

        channel.writeInbound(Unpooled.wrappedBuffer(new byte[2 * UnreadOutput.PIECE_BYTES_MAX + 1]));
        assertThat(handled).containsExactly(UnreadOutput.PIECE_BYTES_MAX);
        assertThat(channel.config().isAutoRead()).isFalse();

        channel.flush();
        assertThat(handled).containsExactly(UnreadOutput.PIECE_BYTES_MAX, UnreadOutput.PIECE_BYTES_MAX);

        int before = reads.count;
        channel.flush();
        assertThat(handled).containsExactly(UnreadOutput.PIECE_BYTES_MAX, UnreadOutput.PIECE_BYTES_MAX, 1);
        assertThat(reads.count).isEqualTo(before);

        channel.flush();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(reads.count).isEqualTo(before + 1);
    }

    @Test
    void leavesAutomaticReadsOffForThoseWhoTurnThemOffMeanwhile() {
        channel.pipeline().addLast(new Answers(MUCH_BYTES));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[UnreadOutput.PIECE_BYTES_MAX + 1]));
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                assertThat(channel.config().isAutoRead()).isTrue();
                channel.config().setAutoRead(false);
            }
        });

        channel.flush();
        channel.flush();

        assertThat(handled).hasSize(2);
        assertThat(channel.config().isAutoRead()).isFalse();
    }

    @Test
    void closesTheConnectionOfThoseWhoTakeNothing() {
        channel.write(Unpooled.wrappedBuffer(new byte[MUCH_BYTES]));

        pass(UnreadOutput.STALL_MAX.toMillis() - 1);
        assertThat(channel.isOpen()).isTrue();

        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void keepsTheConnectionOfThoseWhoHaveLittleToTake() {
        channel.write(Unpooled.wrappedBuffer(new byte[UnreadOutput.UNREAD_BYTES_MAX / 2]));

        pass(10 * UnreadOutput.STALL_MAX.toMillis());

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void keepsTheConnectionOfThoseWhoTakeAllInTime() {
        channel.write(Unpooled.wrappedBuffer(new byte[MUCH_BYTES]));
        pass(UnreadOutput.STALL_MAX.toMillis() - 1);
        channel.flush();

        pass(10 * UnreadOutput.STALL_MAX.toMillis());

        assertThat(channel.isOpen()).isTrue();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
