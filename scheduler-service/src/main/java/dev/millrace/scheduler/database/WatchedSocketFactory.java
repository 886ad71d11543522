package dev.millrace.scheduler.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Objects;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of {@link WatchedDataSource}. The driver instantiates this class by name, on the thread that
 * opens the connection.
 */
public final class WatchedSocketFactory extends SocketFactory {
    /** The watch of the connection that this thread is opening. */
    static final ThreadLocal<@Nullable SilenceWatch> OPENING = new ThreadLocal<>();

    @Override
    public Socket createSocket() throws IOException {
        return new WatchedSocket(Objects.requireNonNull(OPENING.get(), "a watched data source opens the connection"));
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw onlyUnconnected();
    }

    private static UnsupportedOperationException onlyUnconnected() {
        return new UnsupportedOperationException("The driver must create its sockets unconnected.");
    }
}
