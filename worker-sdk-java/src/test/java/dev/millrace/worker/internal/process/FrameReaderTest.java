package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.millrace.proto.log.v1.LogChunk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameReaderTest {
    private static final int FRAME_BYTES_MAX = 64 << 10;

    private static FrameReader reader(String text) {
        return new FrameReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), () -> FRAME_BYTES_MAX);
    }

    private static Frame only(String line) throws Exception {
        FrameReader reader = reader(line + "\n");
        Frame frame = Objects.requireNonNull(reader.next());
        assertThat(reader.next()).isNull();
        return frame;
    }

    @Test
    void cutsTheResultOutAsItIs() throws Exception {
        Frame frame = only("{\"type\":\"result\",\"id\":\"j1\",\"result\":{\"a\": [1,\"}\"]}}");

        assertThat(frame).asInstanceOf(type(Frame.Result.class)).satisfies(result -> {
            assertThat(result.jobId()).isEqualTo("j1");
            assertThat(result.json().toStringUtf8()).isEqualTo("{\"a\": [1,\"}\"]}");
        });
    }

    @Test
    void readsAResultWithoutTheCanonicalPrefixToo() throws Exception {
        assertThat(only("{ \"id\":\"j1\", \"type\":\"result\", \"result\": 7 }"))
                .asInstanceOf(type(Frame.Result.class))
                .satisfies(result -> assertThat(result.json().toStringUtf8()).isEqualTo("7"));
    }

    @Test
    void readsTheOtherFrames() throws Exception {
        assertThat(only("{\"type\":\"ready\",\"protocol\":2,\"runtime\":\"python 3\"}"))
                .isEqualTo(new Frame.Ready(2, "python 3"));
        assertThat(only("{\"type\":\"log\",\"id\":\"j1\",\"stream\":\"stderr\",\"text\":\"ä\\n\"}"))
                .isEqualTo(new Frame.Log("j1", LogChunk.Stream.STREAM_STDERR, "ä\n"));
        assertThat(
                        only(
                                "{\"type\":\"error\",\"id\":\"j1\",\"name\":\"E\",\"message\":\"m\",\"stack\":\"\",\"retryable\":false}"))
                .asInstanceOf(type(Frame.Failed.class))
                .satisfies(failed -> assertThat(failed.error().getRetryable()).isFalse());
    }

    @Test
    void refusesWhatIsNoFrame() {
        assertThatThrownBy(() -> only("garbage"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("garbage");
        assertThatThrownBy(() -> only("{\"type\":\"odd\"}")).hasMessageContaining("unknown type");
        assertThatThrownBy(() -> only("{\"type\":\"result\",\"id\":\"j1\",\"result\":}"))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void refusesAFrameThatIsTooLong() {
        String result = "{\"type\":\"result\",\"id\":\"j1\",\"result\":\"" + "x".repeat(FRAME_BYTES_MAX) + "\"}";

        assertThatThrownBy(() -> only(result))
                .asInstanceOf(type(ProtocolException.class))
                .satisfies(e -> assertThat(e.isResultTooLarge()).isTrue());
    }

    @Test
    void takesHalfALineAtTheEndForNothing() throws Exception {
        assertThat(reader("{\"type\":\"ready\"").next()).isNull();
    }

    @Test
    void findsTheSameFramesHoweverTheBytesArrive() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int length = random.nextInt(random.nextInt(10) == 0 ? 60_000 : 100);
            lengths.add(length + 2);
            text.append("{\"type\":\"result\",\"id\":\"").append(i).append("\",\"result\":\"");
            text.append("x".repeat(length)).append("\"}\n");
        }
        FrameReader reader = new FrameReader(new Trickle(text.toString(), random), () -> FRAME_BYTES_MAX);

        List<Integer> found = new ArrayList<>();
        for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
            found.add(((Frame.Result) frame).json().size());
        }

        assertThat(found).as("seed %d", seed).isEqualTo(lengths);
    }

    /** Returns a random number of bytes on each read. */
    private static final class Trickle extends InputStream {
        private final ByteArrayInputStream bytes;
        private final Random random;

        Trickle(String text, Random random) {
            this.bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
            this.random = random;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return bytes.read(buffer, offset, Math.min(length, 1 + random.nextInt(5_000)));
        }
    }
}
