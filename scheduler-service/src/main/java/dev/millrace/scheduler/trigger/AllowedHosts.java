package dev.millrace.scheduler.trigger;

import dev.millrace.tls.PublicAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where triggers may connect: to public addresses, or anywhere if the installation allows it. Connections go to exactly the
 * addresses that were checked.
 *
 * @param setting name of the setting that allows other addresses, for messages
 */
public record AllowedHosts(boolean allowsPrivate, String setting) {
    /** Those of triggers. */
    public AllowedHosts(boolean allowsPrivate) {
        this(allowsPrivate, "millrace.trigger.allow-private");
    }

    /**
     * The addresses of a host to which triggers may connect.
     *
     * @throws UnknownHostException if the host is unknown or has no such address; the message says what to do
     */
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] open = Stream.of(lookUp(host)).filter(this::allows).toArray(InetAddress[]::new);
        if (open.length == 0) {
            throw new UnknownHostException(
                    host + " has no public address; the setting " + setting + " allows other ones");
        }
        return open;
    }

    /** Java gives a reason for the first look-up only, and trouble is noted again whenever its words change. */
    private static InetAddress[] lookUp(String host) throws UnknownHostException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException unknown) {
            UnknownHostException same = new UnknownHostException("the address of " + host + " cannot be looked up");
            same.initCause(unknown);
            throw same;
        }
    }

    /**
     * Says why at once if there is no host to which triggers may connect, which clients would only repeat for ever.
     *
     * @throws UnknownHostException if all hosts are unknown or have no such address
     */
    public void requireAny(List<String> names) throws UnknownHostException {
        List<String> problems = new ArrayList<>();
        for (String name : names) {
            try {
                var _ = resolve(name);
                return;
            } catch (UnknownHostException refused) {
                problems.add(String.valueOf(refused.getMessage()));
            }
        }
        throw new UnknownHostException(String.join("; ", problems));
    }

    /** Whether triggers may connect to this address. */
    public boolean allows(InetAddress address) {
        return allowsPrivate || PublicAddress.test(address);
    }
}
