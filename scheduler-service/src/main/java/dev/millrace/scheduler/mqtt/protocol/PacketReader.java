package dev.millrace.scheduler.mqtt.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.mqtt.core.Arrival;
import dev.millrace.scheduler.mqtt.core.MessageProperties;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Reads packets from a broker. What is too large is skipped byte by byte, so a broker cannot fill the heap. Blocking, and
 * not thread-safe.
 */
final class PacketReader {
    /** Largest packet that is no message, in bytes. */
    static final int CONTROL_BYTES_MAX = 64 << 10;

    private static final int BUFFER_BYTES = 8 << 10;
    private static final int CONNACK = 2;
    private static final int PUBLISH = 3;
    private static final int PUBREL = 6;
    private static final int SUBACK = 9;
    private static final int UNSUBACK = 11;
    private static final int PINGRESP = 13;
    private static final int DISCONNECT = 14;

    private final DataInputStream in;
    private final Version version;
    private final int messageBytesMax;

    /** @param messageBytesMax largest message that is read, in bytes of its packet */
    PacketReader(InputStream in, Version version, int messageBytesMax) {
        this.in = new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES));
        this.version = version;
        this.messageBytesMax = messageBytesMax;
    }

    /** The next packet. Fails with {@link EOFException} at the end. */
    Packet read() throws IOException {
        int first = in.readUnsignedByte();
        int type = first >> 4;
        int length = length();
        if (type == PUBLISH) {
            return new Packet.Delivered(
                    length > messageBytesMax
                            ? tooLarge(first, length)
                            : message(first, length, new Body(bytes(length))));
        }
        if (length > CONTROL_BYTES_MAX) {
            throw new ProtocolException("a packet of the type " + type + " has " + length + " bytes");
        }
        Body body = new Body(bytes(length));
        return switch (type) {
            case CONNACK -> connected(body);
            case PUBREL -> new Packet.Delivered(new Arrival.Release(body.twoBytes()));
            case SUBACK -> subscribed(body);
            case UNSUBACK -> new Packet.Unsubscribed(body.twoBytes());
            case PINGRESP -> new Packet.Pong();
            case DISCONNECT -> disconnected(body);
            default -> throw new ProtocolException("a packet has the type " + type + ", which is for no subscriber");
        };
    }

    private int length() throws IOException {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new ProtocolException("a length has more than four bytes");
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return bytes;
    }

    private Arrival message(int first, int length, Body body) throws ProtocolException {
        String topic = body.text();
        Arrival.Head head = head(first, topic, qos(first) == 0 ? OptionalInt.empty() : OptionalInt.of(body.twoBytes()));
        MessageProperties properties =
                version == Version.V5 ? Properties.read(body).message() : MessageProperties.NONE;
        if (body.hasInvalidText()) {
            return new Arrival.NotText(head);
        }
        return properties.user().size() > MessageProperties.USER_MAX
                ? new Arrival.TooLarge(head, length)
                : new Arrival.Message(head, body.bytes(body.left()), properties);
    }

    private Arrival tooLarge(int first, int length) throws IOException {
        int idBytes = qos(first) == 0 ? 0 : 2;
        int topicBytes = in.readUnsignedShort();
        int left = length - 2 - topicBytes - idBytes;
        if (left < 0) {
            throw new ProtocolException("a packet is shorter than its topic");
        }
        String topic = new String(bytes(topicBytes), UTF_8);
        OptionalInt id = idBytes == 0 ? OptionalInt.empty() : OptionalInt.of(in.readUnsignedShort());
        in.skipNBytes(left);
        return new Arrival.TooLarge(head(first, topic, id), length);
    }

    private static Arrival.Head head(int first, String topic, OptionalInt id) throws ProtocolException {
        if (topic.isEmpty()) {
            throw new ProtocolException("a message has no topic");
        }
        return new Arrival.Head(topic, qos(first), (first & 1) != 0, (first & 8) != 0, id);
    }

    private static int qos(int first) throws ProtocolException {
        int qos = (first >> 1) & 3;
        if (qos == 3) {
            throw new ProtocolException("a message has the quality of service 3");
        }
        return qos;
    }

    private Packet connected(Body body) throws ProtocolException {
        boolean hasSession = (body.oneByte() & 1) != 0;
        int code = body.oneByte();
        Properties properties = properties(body);
        return new Packet.Connected(hasSession, code, properties.keepAliveSeconds(), properties.reason());
    }

    private Packet subscribed(Body body) throws ProtocolException {
        int id = body.twoBytes();
        Properties properties = properties(body);
        List<Integer> codes = new ArrayList<>();
        while (body.left() > 0) {
            codes.add(body.oneByte());
        }
        return new Packet.Subscribed(id, codes, properties.reason());
    }

    private Packet disconnected(Body body) throws ProtocolException {
        int code = body.left() == 0 ? 0 : body.oneByte();
        return new Packet.Disconnected(code, properties(body).reason());
    }

    /** Brokers that refuse a client of MQTT 5 may answer as those of 3.1.1 do, without properties. */
    private Properties properties(Body body) throws ProtocolException {
        return version == Version.V5 && body.left() > 0 ? Properties.read(body) : Properties.NONE;
    }
}
