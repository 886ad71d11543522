package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class WatchedStreamTest {
    private final Body body = new Body();

    @Test
    void endsWhenNothingArrives() throws IOException {
        try (SseReader events = new SseReader(new WatchedStream(body, Duration.ofMillis(50)))) {
            assertThat(events.next()).isEmpty();
        }
    }

    @Test
    void tellsWhatArrives() throws IOException {
        body.send("event: run\ndata: 1\n\n");
        try (SseReader events = new SseReader(new WatchedStream(body, Duration.ofSeconds(30)))) {
            assertThat(events.next()).contains(new SseEvent("run", "1"));
        }
    }

    /** Body that delivers what the test sends, and ends when it is closed. */
    private static final class Body extends InputStream {
        private static final int END = -1;

        private final LinkedBlockingQueue<Integer> bytes = new LinkedBlockingQueue<>();

        void send(String text) {
            text.chars().forEach(bytes::add);
        }

        @Override
        public int read() throws IOException {
            try {
                return bytes.take();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int first = read();
            if (first == END) {
                return END;
            }
            int count = 0;
            target[offset + count++] = (byte) first;
            while (count < length && !bytes.isEmpty()) {
                target[offset + count++] = (byte) (int) Objects.requireNonNull(bytes.poll());
            }
            return count;
        }

        @Override
        public void close() {
            bytes.add(END);
        }
    }
}
