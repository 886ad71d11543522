package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;

/** A socket that checks the address right before it connects to it. */
public class CheckedSocket extends Socket {
    private final AddressRule rule;

    public CheckedSocket(AddressRule rule) {
        this.rule = requireNonNull(rule, "rule");
    }

    @Override
    public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
        rule.require(endpoint);
        super.connect(endpoint, timeoutMillis);
    }
}
