package dev.millrace.scheduler.mqtt.protocol;

import dev.millrace.scheduler.mqtt.core.Handover.Reply;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A subscriber that is connected to a broker. Not thread-safe; only {@link #close} is called by others, too. */
public final class Client implements Closeable {
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(10);
    private static final Duration PING_INTERVAL = Connection.SILENCE_MAX.dividedBy(2);

    private final Connection connection;
    private final Version version;
    private final boolean hasSession;
    private final Duration pingInterval;
    private long pingedAt = System.nanoTime();
    private int lastId;

    private Client(Connection connection, Version version, boolean hasSession, Duration pingInterval) {
        this.connection = connection;
        this.version = version;
        this.hasSession = hasSession;
        this.pingInterval = pingInterval;
    }

    /** Thrown if a broker refuses a client. The message is a clause. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String clause) {
            super(clause);
        }
    }

    /**
     * Connects with a session that the broker keeps.
     *
     * @param addresses of the broker, in place of those that its name has
     * @param messageBytesMax largest message that is read, in bytes of its packet
     */
    public static Client open(Broker broker, InetAddress[] addresses, Login login, int messageBytesMax)
            throws IOException, InterruptedException {
        return open(broker, addresses, login, messageBytesMax, false);
    }

    /** Lets a broker forget a session. */
    public static void forget(Broker broker, InetAddress[] addresses, Login login)
            throws IOException, InterruptedException {
        try (Client client = open(broker, addresses, login, PacketReader.CONTROL_BYTES_MAX, true)) {
            client.disconnect(true);
        }
    }

    private static Client open(Broker broker, InetAddress[] addresses, Login login, int messageBytesMax, boolean clean)
            throws IOException, InterruptedException {
        Connection connection = Connection.open(broker, addresses, messageBytesMax);
        try {
            connection.send(Packets.connect(broker, login, clean));
            Packet answer = connection
                    .take(ANSWER_PATIENCE)
                    .orElseThrow(() ->
                            new IOException("the broker did not answer within " + ANSWER_PATIENCE.toSeconds() + " s"));
            if (!(answer instanceof Packet.Connected connected)) {
                throw new ProtocolException("the broker began with something else than an answer");
            }
            if (connected.code() != 0) {
                throw new Refused(ReasonCode.connection(broker.version(), connected.code(), connected.reason()));
            }
            Duration wanted = Duration.ofSeconds(connected.keepAliveSeconds()).dividedBy(2);
            boolean isSooner = !wanted.isZero() && wanted.compareTo(PING_INTERVAL) < 0;
            return new Client(connection, broker.version(), connected.hasSession(), isSooner ? wanted : PING_INTERVAL);
        } catch (IOException | InterruptedException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    /** Whether the broker has kept the session with its subscriptions since the last connection. */
    public boolean hasSession() {
        return hasSession;
    }

    /** Asks for subscriptions; the answer is a {@link Packet.Subscribed} with this id. */
    public int subscribe(List<Subscription> subscriptions) throws IOException {
        connection.send(Packets.subscribe(version, ++lastId, subscriptions));
        return lastId;
    }

    /** Ends subscriptions; the answer is a {@link Packet.Unsubscribed} with this id. */
    public int unsubscribe(List<Subscription> subscriptions) throws IOException {
        connection.send(Packets.unsubscribe(version, ++lastId, subscriptions));
        return lastId;
    }

    /** Answers to messages. */
    public void reply(List<Reply> replies) throws IOException {
        if (!replies.isEmpty()) {
            connection.send(Packets.replies(replies));
        }
    }

    /** Asks for a sign of life if the last one was long ago. */
    public void pingIfDue() throws IOException {
        if (System.nanoTime() - pingedAt >= pingInterval.toNanos()) {
            pingedAt = System.nanoTime();
            connection.send(Packets.ping());
        }
    }

    /**
     * Takes what the broker has sent.
     *
     * @return empty if nothing came within the time
     * @throws IOException why there is no connection any more
     */
    public Optional<Packet> take(Duration patience) throws IOException, InterruptedException {
        Optional<Packet> packet = connection.take(patience);
        if (packet.isPresent() && packet.get() instanceof Packet.Disconnected(int code, String reason)) {
            throw new Refused(ReasonCode.text(code, reason));
        }
        return packet;
    }

    /** Says goodbye. The broker keeps the session, unless it is to forget it and speaks MQTT 5. */
    public void disconnect(boolean forgets) throws IOException {
        connection.send(Packets.disconnect(version, forgets));
    }

    @Override
    public void close() {
        connection.close();
    }
}
