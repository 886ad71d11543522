package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes sockets for the driver of PostgreSQL that {@linkplain CheckedSocket check the address} and {@linkplain AnswerLimit bound
 * answers}. The driver makes a factory by the name of its class.
 */
public abstract class CheckedSockets extends SocketFactory {
    private static final String CONNECTS_ITSELF = "drivers connect sockets themselves";

    private final BoundedConnection connection;
    private final int answerBytesMax;
    private final int otherBytesMax;

    /**
     * Makes the sockets of one connection.
     *
     * @param answerBytesMax largest answer to a request in bytes, with all that the protocol and the driver add
     * @param otherBytesMax largest message that is no row
     */
    protected CheckedSockets(BoundedConnection connection, int answerBytesMax, int otherBytesMax) {
        this.connection = requireNonNull(connection, "connection");
        this.answerBytesMax = answerBytesMax;
        this.otherBytesMax = otherBytesMax;
    }

    @Override
    public Socket createSocket() {
        AnswerLimit limit = new AnswerLimit(answerBytesMax, connection);
        PostgresMessages messages = new PostgresMessages(limit, PostgresMessages.Use.STATEMENTS, otherBytesMax);
        return new OwnedSocket(connection) {
            @Override
            public InputStream getInputStream() throws IOException {
                return messages.weighed(limit.counted(super.getInputStream()));
            }

            @Override
            public OutputStream getOutputStream() throws IOException {
                return messages.observed(limit.restarting(super.getOutputStream()));
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException(CONNECTS_ITSELF);
    }
}
