package dev.millrace.scheduler.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A broker for one client at a time, which sends exactly what a test says, and remembers the answers. */
final class FakeBroker implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final ServerSocket door;
    private final boolean isOfVersion5;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<String> filters = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Socket> clients = new LinkedBlockingQueue<>();
    private volatile boolean hasSession;

    FakeBroker(boolean isOfVersion5) throws IOException {
        this.isOfVersion5 = isOfVersion5;
        this.door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var _ = Thread.ofVirtual().start(this::accept);
    }

    /** Says in answers whether the broker knows the session. */
    void keepsSession(boolean value) {
        hasSession = value;
    }

    String url() {
        return "mqtt://127.0.0.1:" + door.getLocalPort();
    }

    /** The filters of all subscriptions, as {@code QOS FILTER}. */
    List<String> filters() {
        return filters;
    }

    /** The next client that has subscribed or whose session was kept. */
    Socket client() throws InterruptedException {
        Socket client = clients.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (client == null) {
            throw new AssertionError("no client came");
        }
        return client;
    }

    /** The next answer of a client, as {@code PACKET ID}. */
    String heard() throws InterruptedException {
        return String.valueOf(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private void accept() {
        try {
            while (true) {
                serve(door.accept());
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try {
            DataInputStream in = new DataInputStream(client.getInputStream());
            while (true) {
                int type = in.readUnsignedByte();
                byte[] body = in.readNBytes(length(in));
                switch (type >> 4) {
                    case 1 -> {
                        send(
                                client,
                                isOfVersion5
                                        ? new byte[] {0x20, 3, session(), 0, 0}
                                        : new byte[] {0x20, 2, session(), 0});
                        if (hasSession) {
                            clients.add(client);
                        }
                    }
                    case 8 -> {
                        subscribe(client, body);
                        clients.add(client);
                    }
                    case 10 -> heard.add("UNSUBSCRIBE");
                    case 4 -> heard.add("PUBACK " + id(body));
                    case 5 -> heard.add("PUBREC " + id(body));
                    case 7 -> heard.add("PUBCOMP " + id(body));
                    case 14 -> heard.add("DISCONNECT");
                    default -> {}
                }
            }
        } catch (IOException gone) {
            // The next client may come.
        }
    }

    private byte session() {
        return (byte) (hasSession ? 1 : 0);
    }

    private void subscribe(Socket client, byte[] body) throws IOException {
        int at = isOfVersion5 ? 3 : 2;
        ByteArrayOutputStream codes = new ByteArrayOutputStream();
        while (at < body.length) {
            int length = ((body[at] & 0xff) << 8) | (body[at + 1] & 0xff);
            int qos = body[at + 2 + length] & 3;
            filters.add(qos + " " + new String(body, at + 2, length, UTF_8));
            codes.write(qos);
            at += 3 + length;
        }
        int versionBytes = isOfVersion5 ? 1 : 0;
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.write(0x90);
        answer.write(2 + versionBytes + codes.size());
        answer.write(body, 0, 2);
        answer.writeBytes(new byte[versionBytes]);
        answer.writeBytes(codes.toByteArray());
        send(client, answer.toByteArray());
    }

    /** Sends a message. */
    void publish(Socket client, int flags, int id, String topic, byte[] payload) {
        byte[] name = topic.getBytes(UTF_8);
        boolean hasId = (flags & 6) != 0;
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(0x30 | flags);
        int left = 2 + name.length + (hasId ? 2 : 0) + (isOfVersion5 ? 1 : 0) + payload.length;
        while (left >= 0x80) {
            packet.write((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        packet.write(left);
        packet.write(name.length >> 8);
        packet.write(name.length);
        packet.writeBytes(name);
        if (hasId) {
            packet.write(id >> 8);
            packet.write(id);
        }
        if (isOfVersion5) {
            packet.write(0);
        }
        packet.writeBytes(payload);
        send(client, packet.toByteArray());
    }

    /** Releases the id of a message of QoS 2. */
    void release(Socket client, int id) {
        send(client, new byte[] {0x62, 2, (byte) (id >> 8), (byte) id});
    }

    private static void send(Socket client, byte[] packet) {
        try {
            client.getOutputStream().write(packet);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static int id(byte[] body) {
        return ((body[0] & 0xff) << 8) | (body[1] & 0xff);
    }

    private static int length(DataInputStream in) throws IOException {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
