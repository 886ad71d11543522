package dev.millrace.tls;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes {@linkplain CheckedSocket sockets that check the address} for drivers of databases, which look names up themselves. They
 * make a factory by the name of its class.
 */
public abstract class CheckedSockets extends SocketFactory {
    private static final String CONNECTS_ITSELF = "drivers connect sockets themselves";

    private final AddressRule rule;

    protected CheckedSockets(AddressRule rule) {
        this.rule = rule;
    }

    @Override
    public Socket createSocket() {
        return new CheckedSocket(rule);
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
