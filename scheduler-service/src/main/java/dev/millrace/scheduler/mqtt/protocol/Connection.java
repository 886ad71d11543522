package dev.millrace.scheduler.mqtt.protocol;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection to a broker. A thread of its own reads from it, as far as the {@link Inbox} has room; one other thread sends
 * and takes. A broker that says nothing for {@link #SILENCE_MAX}, or does not take what is sent, loses the connection.
 */
final class Connection implements Closeable {
    /** Longest time without a packet of the broker, which is asked for one twice in this time. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(15);

    private final Socket plain;
    /** The same as {@link #plain}, or TLS on top of it. */
    private final Socket socket;

    private final Inbox inbox = new Inbox();
    private volatile long sendingSince;

    private Connection(Socket plain, Socket socket) {
        this.plain = plain;
        this.socket = socket;
    }

    /**
     * Connects to one of these addresses, and reads.
     *
     * @param messageBytesMax largest message that is read, in bytes of its packet
     */
    static Connection open(Broker broker, InetAddress[] addresses, int messageBytesMax) throws IOException {
        return open(broker, addresses, messageBytesMax, SILENCE_MAX);
    }

    static Connection open(Broker broker, InetAddress[] addresses, int messageBytesMax, Duration silenceMax)
            throws IOException {
        Socket socket = connected(addresses, broker.port());
        try {
            Socket secured =
                    broker.tls().isPresent() ? secured(socket, broker.tls().get(), broker) : socket;
            secured.setTcpNoDelay(true);
            secured.setSoTimeout((int) silenceMax.toMillis());
            Connection connection = new Connection(socket, secured);
            PacketReader reader = new PacketReader(secured.getInputStream(), broker.version(), messageBytesMax);
            var _ = Thread.ofVirtual().name("mqtt-reader " + broker).start(() -> connection.read(reader));
            return connection;
        } catch (IOException | RuntimeException failure) {
            socket.close();
            throw failure;
        }
    }

    private static Socket connected(InetAddress[] addresses, int port) throws IOException {
        IOException problem = new IOException("it has no address");
        for (InetAddress address : addresses) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), (int) CONNECT_TIMEOUT.toMillis());
                return socket;
            } catch (IOException failure) {
                problem = failure;
                socket.close();
            }
        }
        throw problem;
    }

    private static Socket secured(Socket socket, SSLContext context, Broker broker) throws IOException {
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(socket, broker.host(), broker.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.setSoTimeout((int) HANDSHAKE_TIMEOUT.toMillis());
        secured.startHandshake();
        return secured;
    }

    private void read(PacketReader reader) {
        try {
            while (true) {
                inbox.put(reader.read(), this::isSendingInTime);
                if (!isSendingInTime()) {
                    throw new IOException("the broker does not take what is sent");
                }
            }
        } catch (EOFException closed) {
            inbox.end(new IOException("the broker closed it"));
        } catch (SocketTimeoutException silent) {
            inbox.end(new IOException("the broker said nothing for " + SILENCE_MAX.toSeconds() + " s"));
        } catch (IOException failure) {
            inbox.end(failure);
        } catch (InterruptedException stopped) {
            inbox.end(new IOException("it was closed"));
        } finally {
            breakOff();
        }
    }

    /** Closes the connection under TLS, whose own end waits for a thread that sends to a broker that takes nothing. */
    private void breakOff() {
        close(plain);
    }

    private boolean isSendingInTime() {
        long since = sendingSince;
        return since == 0 || System.nanoTime() - since < SEND_TIMEOUT.toNanos();
    }

    void send(byte[] packets) throws IOException {
        sendingSince = Math.max(1, System.nanoTime());
        try {
            socket.getOutputStream().write(packets);
            socket.getOutputStream().flush();
        } finally {
            sendingSince = 0;
        }
    }

    /**
     * Takes a packet.
     *
     * @return empty if none came within the time
     * @throws IOException why there is no connection any more, once all packets were taken
     */
    Optional<Packet> take(Duration patience) throws IOException, InterruptedException {
        return inbox.take(patience);
    }

    @Override
    public void close() {
        inbox.end(new IOException("it was closed"));
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // Nothing is left to close.
        }
    }
}
