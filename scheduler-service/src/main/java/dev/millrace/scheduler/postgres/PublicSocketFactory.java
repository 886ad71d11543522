package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.trigger.AllowedHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import javax.net.SocketFactory;

/** Sockets that connect to public addresses only. The Postgres driver makes it by its name. */
public class PublicSocketFactory extends SocketFactory {
    private static final AllowedHosts HOSTS = new AllowedHosts(false);

    @Override
    public Socket createSocket() {
        return new Checked();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException("the driver connects sockets itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException("the driver connects sockets itself");
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException("the driver connects sockets itself");
    }

    /** Fails unless an address is public. */
    static void requirePublic(SocketAddress endpoint) throws UnknownHostException {
        if (!(endpoint instanceof InetSocketAddress address)) {
            throw new UnknownHostException("the database has no address of the internet protocol");
        }
        if (address.getAddress() == null) {
            throw new UnknownHostException("the host " + address.getHostString() + " is unknown");
        }
        if (!HOSTS.allows(address.getAddress())) {
            throw new UnknownHostException(address.getHostString()
                    + " has no public address; the setting millrace.trigger.allow-private allows other ones");
        }
    }

    private static final class Checked extends Socket {
        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            requirePublic(endpoint);
            super.connect(endpoint, timeout);
        }
    }
}
