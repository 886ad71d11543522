package dev.millrace.scheduler.mqtt.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.mqtt.core.Arrival;
import dev.millrace.scheduler.mqtt.core.MessageProperties;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketReaderTest {
    private static final int MESSAGE_BYTES_MAX = 1_000;

    @Test
    void readsMessagesWithTheirProperties() throws IOException {
        // topic t, id 7, properties: payload format, expiry, content type c, response topic r, correlation ff,
        // subscription 300,
        // user properties a=1, b=2, a=3
        String properties = "0101" + "0200000009" + "03000163" + "08000172" + "090001ff" + "0bac02" + "2600016100"
                + "0131" + "2600016200" + "0132" + "2600016100" + "0133";
        String body = "000174" + "0007" + hex(properties.length() / 2) + properties + "7b7d";

        Packet packet = read(Version.V5, "3d" + hex(body.length() / 2) + body);

        assertThat(packet).isInstanceOfSatisfying(Packet.Delivered.class, delivered -> {
            Arrival.Message message = (Arrival.Message) delivered.arrival();
            assertThat(message.head()).isEqualTo(new Arrival.Head("t", 2, true, true, OptionalInt.of(7)));
            assertThat(message.payload()).asString(UTF_8).isEqualTo("{}");
            assertThat(message.properties().contentType()).contains("c");
            assertThat(message.properties().responseTopic()).contains("r");
            assertThat(message.properties().correlation())
                    .hasValueSatisfying(bytes -> assertThat(bytes).containsExactly(0xff));
            assertThat(message.properties().user()).isEqualTo(Map.of("a", "3", "b", "2"));
        });
    }

    /** A property takes a few bytes of a packet, and many times as many of the heap. */
    @Test
    void refusesAMessageWithManyProperties() throws IOException {
        for (int number : List.of(MessageProperties.USER_MAX, MessageProperties.USER_MAX + 1)) {
            StringBuilder properties = new StringBuilder();
            for (int i = 0; i < number; i++) {
                properties
                        .append("260004")
                        .append(HexFormat.of().formatHex("%04d".formatted(i).getBytes(UTF_8)))
                        .append("0000");
            }
            String body = "000174" + varint(properties.length() / 2) + properties;
            var reader = new PacketReader(bytes("30" + varint(body.length() / 2) + body), Version.V5, 1 << 20);

            Packet.Delivered delivered = (Packet.Delivered) reader.read();

            assertThat(delivered.arrival())
                    .isInstanceOf(
                            number <= MessageProperties.USER_MAX ? Arrival.Message.class : Arrival.TooLarge.class);
        }
    }

    private static String varint(int number) {
        return HexFormat.of().toHexDigits((byte) ((number & 0x7f) | 0x80))
                + HexFormat.of().toHexDigits((byte) (number >> 7));
    }

    @Test
    void readsAnswers() throws IOException {
        assertThat(read(Version.V3_1_1, "20020100")).isEqualTo(new Packet.Connected(true, 0, 0, ""));
        assertThat(read(Version.V5, "200b008708" + "13000a" + "1f00026e6f"))
                .isEqualTo(new Packet.Connected(false, 0x87, 10, "no"));
        assertThat(read(Version.V5, "20020001"))
                .as("a broker of 3.1.1 refuses version 5")
                .isEqualTo(new Packet.Connected(false, 1, 0, ""));
        assertThat(read(Version.V5, "900500010001" + "87")).isEqualTo(new Packet.Subscribed(1, List.of(1, 0x87), ""));
        assertThat(read(Version.V5, "b00400020011")).isEqualTo(new Packet.Unsubscribed(2));
        assertThat(read(Version.V5, "e0018e")).isEqualTo(new Packet.Disconnected(0x8e, ""));
        assertThat(read(Version.V5, "62020007")).isEqualTo(new Packet.Delivered(new Arrival.Release(7)));
        assertThat(read(Version.V3_1_1, "d000")).isEqualTo(new Packet.Pong());
    }

    @Test
    void skipsWhatIsTooLargeAndGoesOn() throws IOException {
        int length = 200_000_000;
        InputStream large = new InputStream() {
            private int left = length - 5;

            @Override
            public int read() {
                return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] bytes, int from, int most) {
                if (left == 0) {
                    return -1;
                }
                int read = Math.min(left, most);
                left -= read;
                return read;
            }
        };
        InputStream all = new SequenceInputStream(
                new SequenceInputStream(bytes("32" + "8084af5f" + "000174" + "0007"), large), bytes("d000"));
        PacketReader reader = new PacketReader(all, Version.V5, MESSAGE_BYTES_MAX);

        assertThat(reader.read())
                .isEqualTo(new Packet.Delivered(
                        new Arrival.TooLarge(new Arrival.Head("t", 1, false, false, OptionalInt.of(7)), length)));
        assertThat(reader.read()).isEqualTo(new Packet.Pong());
        assertThatThrownBy(reader::read).isInstanceOf(EOFException.class);
    }

    /** The broker would send it again and again to a client that ends the connection. */
    @Test
    void readsNoMessageWhoseTextsAreNotUtf8() throws IOException {
        for (String properties : List.of(
                "03" + "0001ff", // content type
                "08" + "0002c328", // response topic
                "26" + "0001ff" + "000131", // name of a property
                "26" + "000161" + "0002c3a9" + "26" + "000162" + "0003eda080")) { // value, half of a pair of surrogates
            String body = "000174" + "0007" + hex(properties.length() / 2) + properties + "7b7d";
            assertThat(read(Version.V5, "32" + hex(body.length() / 2) + body))
                    .as(properties)
                    .isEqualTo(new Packet.Delivered(
                            new Arrival.NotText(new Arrival.Head("t", 1, false, false, OptionalInt.of(7)))));
        }
        assertThat(read(Version.V3_1_1, "30" + "04" + "0002" + "74ff"))
                .isEqualTo(new Packet.Delivered(
                        new Arrival.NotText(new Arrival.Head("t\uFFFD", 0, false, false, OptionalInt.empty()))));
        assertThat(read(Version.V5, "200b008708" + "13000a" + "1f0002ffff"))
                .as("words for people")
                .isEqualTo(new Packet.Connected(false, 0x87, 10, "\uFFFD\uFFFD"));
    }

    @Test
    void refusesWhatTheProtocolDoesNotAllow() {
        for (String wrong : List.of(
                "36" + "05" + "0001740007", // quality of service 3
                "30" + "02" + "0000", // no topic
                "30" + "03" + "000574", // topic longer than the packet
                "30" + "05" + "000174" + "0177", // unknown property
                "20" + "ffffff7f", // answer of 256 MiB
                "30" + "ffffffff01", // length of five bytes
                "c000", // packet for brokers
                "f000")) {
            assertThatThrownBy(() -> read(Version.V5, wrong)).as(wrong).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void failsInOneWayWhateverComes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            byte[] noise = new byte[1 + random.nextInt(60)];
            random.nextBytes(noise);
            noise[0] = (byte) ((random.nextInt(16) << 4) | (noise[0] & 15));
            if (noise.length > 1 && random.nextBoolean()) {
                noise[1] = (byte) (noise.length - 2);
            }
            PacketReader reader = new PacketReader(
                    new ByteArrayInputStream(noise), random.nextBoolean() ? Version.V5 : Version.V3_1_1, 30);
            try {
                while (true) {
                    var _ = reader.read();
                }
            } catch (IOException expected) {
                assertThat(expected).as("seed %s", seed).isNotNull();
            }
        }
    }

    private static Packet read(Version version, String hex) throws IOException {
        return new PacketReader(bytes(hex), version, MESSAGE_BYTES_MAX).read();
    }

    private static InputStream bytes(String hex) {
        return new ByteArrayInputStream(HexFormat.of().parseHex(hex));
    }

    private static String hex(int oneByte) {
        return HexFormat.of().toHexDigits((byte) oneByte);
    }
}
