package dev.millrace.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The socket of these tests takes what is flushed. */
class UnreadOutputTest {

    private static final int MUCH_BYTES = UnreadOutput.UNREAD_BYTES_MAX + 1;

    private final Reads reads = new Reads();
    private final EmbeddedChannel channel = new EmbeddedChannel(reads, new UnreadOutput());

    /** Counts how often the socket is read. */
    private static final class Reads extends ChannelOutboundHandlerAdapter {
        private int count;

        @Override
        public void read(ChannelHandlerContext context) {
            count++;
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
