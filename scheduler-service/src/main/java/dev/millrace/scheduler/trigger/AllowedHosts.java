package dev.millrace.scheduler.trigger;

import dev.millrace.tls.PublicAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/**
 * Where triggers may connect: to public addresses, or anywhere if the installation allows it. Connections go to exactly the
 * addresses that were checked.
 */
public record AllowedHosts(boolean allowsPrivate) {
    /**
     * The addresses of a host to which triggers may connect.
     *
     * @throws UnknownHostException if the host is unknown or has no such address; the message says what to do
     */
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] open =
                Stream.of(InetAddress.getAllByName(host)).filter(this::allows).toArray(InetAddress[]::new);
        if (open.length == 0) {
            throw new UnknownHostException(
                    host + " has no public address; the setting millrace.trigger.allow-private allows other ones");
        }
        return open;
    }

    /** Whether triggers may connect to this address. */
    public boolean allows(InetAddress address) {
        return allowsPrivate || PublicAddress.test(address);
    }
}
