package dev.millrace.handler.http;

import dev.millrace.tls.AddressRule;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves the host of each new connection and accepts only allowed addresses. The connection goes to exactly the
 * addresses that were checked, so a name that changes its address in between gains nothing.
 */
final class GuardedResolver implements DnsResolver {
    private final DnsResolver names;
    private final AddressRule rule;

    GuardedResolver(DnsResolver names, AddressRule rule) {
        this.names = names;
        this.rule = rule;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return rule.resolve(host, names::resolve);
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
        return names.resolveCanonicalHostname(host);
    }
}
