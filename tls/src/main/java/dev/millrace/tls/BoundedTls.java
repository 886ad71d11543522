package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Lays TLS over the sockets of the driver of PostgreSQL, and {@linkplain AnswerLimit bounds answers} as {@link CheckedSockets} does without
 * TLS. The driver makes a factory by the name of its class.
 */
public abstract class BoundedTls extends SSLSocketFactory {
    private static final String IS_OVER_SOCKETS = "drivers lay TLS over sockets that are connected";

    private final SSLSocketFactory factory;
    private final BoundedConnection connection;
    private final int answerBytesMax;
    private final int otherBytesMax;
    private final PostgresMessages.Use use;

    /**
     * Bounds the answers to sockets of another factory.
     *
     * @param factory decides whom to trust
     * @param connection what the sockets belong to
     * @param answerBytesMax largest answer to a request in bytes, with all that the protocol and the driver add
     * @param otherBytesMax largest message that is no row
     * @param use what the connection is for
     */
    protected BoundedTls(
            SSLSocketFactory factory,
            BoundedConnection connection,
            int answerBytesMax,
            int otherBytesMax,
            PostgresMessages.Use use) {
        this.factory = requireNonNull(factory, "factory");
        this.connection = requireNonNull(connection, "connection");
        this.answerBytesMax = answerBytesMax;
        this.otherBytesMax = otherBytesMax;
        this.use = requireNonNull(use, "use");
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean isClosedWithIt) throws IOException {
        AnswerLimit limit = new AnswerLimit(answerBytesMax, connection);
        return new BoundedTlsSocket(
                (SSLSocket) factory.createSocket(socket, host, port, isClosedWithIt),
                limit,
                new PostgresMessages(limit, use, otherBytesMax));
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException(IS_OVER_SOCKETS);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException(IS_OVER_SOCKETS);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException(IS_OVER_SOCKETS);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException(IS_OVER_SOCKETS);
    }
}
