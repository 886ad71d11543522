package dev.millrace.handler.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves the host of each new connection and accepts only allowed addresses. The connection goes to exactly the
 * addresses that were checked, so a name that changes its address in between gains nothing.
 */
final class GuardedResolver implements DnsResolver {
    /** None of the host's addresses may be connected to. */
    static final class NotAllowed extends UnknownHostException {
        private final transient List<InetAddress> refused;

        NotAllowed(String host, List<InetAddress> refused) {
            super(host);
            this.refused = refused;
        }

        /** Addresses of the host. */
        List<InetAddress> refused() {
            return refused;
        }
    }

    private final DnsResolver names;
    private final Predicate<InetAddress> allowed;

    GuardedResolver(DnsResolver names, Predicate<InetAddress> allowed) {
        this.names = names;
        this.allowed = allowed;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] all = names.resolve(host);
        InetAddress[] open = Stream.of(all).filter(allowed).toArray(InetAddress[]::new);
        if (open.length == 0) {
            throw new NotAllowed(host, List.of(all));
        }
        return open;
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
        return names.resolveCanonicalHostname(host);
    }
}
