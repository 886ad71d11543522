package dev.millrace.e2e.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;

/** A publisher of MQTT 5 that sends what clients do not: messages with thousands of user properties, as fast as the broker reads. */
final class MqttFlood implements AutoCloseable {
    private static final int CONNECT = 0x10;
    private static final int PUBLISH = 0x30;
    private static final int CLEAN_START = 2;
    private static final int VERSION = 5;
    private static final int USER_PROPERTY = 0x26;
    private static final int QOS_SHIFT = 1;
    private static final int PACKET_IDS = 60_000;

    private final Socket socket;
    private final OutputStream out;
    private int packetId;

    /** @param broker {@code mqtt://HOST:PORT} */
    MqttFlood(String broker) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), URI.create(broker).getPort());
        out = socket.getOutputStream();
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream connect = new DataOutputStream(bytes);
        connect.writeUTF("MQTT");
        connect.write(VERSION);
        connect.write(CLEAN_START);
        connect.writeShort(0);
        connect.write(0);
        connect.writeUTF("flood");
        send(CONNECT, bytes.toByteArray());
        // The answers must be read, or the broker would stop to read, too.
        var _ = Thread.ofVirtual().start(() -> {
            try {
                in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException ended) {
                // The flood has ended.
            }
        });
    }

    /**
     * Publishes a message.
     *
     * @param properties number of user properties
     * @param propertyChars length of each value
     */
    void publish(String topic, int qos, byte[] payload, int properties, int propertyChars) throws IOException {
        ByteArrayOutputStream user = new ByteArrayOutputStream();
        DataOutputStream property = new DataOutputStream(user);
        String value = "v".repeat(propertyChars);
        for (int number = 0; number < properties; number++) {
            property.write(USER_PROPERTY);
            property.writeUTF("name" + number);
            property.writeUTF(value);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream packet = new DataOutputStream(bytes);
        packet.writeUTF(topic);
        if (qos > 0) {
            packetId = packetId % PACKET_IDS + 1;
            packet.writeShort(packetId);
        }
        writeLength(packet, user.size());
        user.writeTo(packet);
        packet.write(payload);
        send(PUBLISH | qos << QOS_SHIFT, bytes.toByteArray());
    }

    /** A payload in JSON of some length. */
    static byte[] payload(int length) {
        return ("\"" + "p".repeat(length - 2) + "\"").getBytes(UTF_8);
    }

    private void send(int first, byte[] body) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(first);
        writeLength(packet, body.length);
        packet.write(body);
        packet.writeTo(out);
        out.flush();
    }

    private static void writeLength(OutputStream to, int length) throws IOException {
        int left = length;
        do {
            int low = left & 0x7f;
            left >>>= 7;
            to.write(left > 0 ? low | 0x80 : low);
        } while (left > 0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
