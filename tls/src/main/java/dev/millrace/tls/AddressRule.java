package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rule for whatever connects on behalf of others: to {@linkplain PublicAddress public addresses}, or anywhere if an operator
 * allows it. Connections go to exactly the addresses that were checked, so a name that changes its address in between gains
 * nothing.
 *
 * @param allowsPrivate whether other addresses are allowed
 * @param setting name of the setting that allows them, for messages
 */
public record AddressRule(boolean allowsPrivate, String setting) {
    /** A host of which no address may be connected to. Its message says which setting allows them. */
    public static final class Refused extends UnknownHostException {
        private final transient List<InetAddress> addresses;

        private Refused(String message, List<InetAddress> addresses) {
            super(message);
            this.addresses = addresses;
        }

        /** Addresses of the host. */
        public List<InetAddress> addresses() {
            return addresses;
        }
    }

    /** Finds all addresses of a host. */
    public interface Names {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    public AddressRule {
        requireNonNull(setting, "setting");
    }

    /**
     * The addresses of a host that may be connected to.
     *
     * @throws Refused if it has no such address
     * @throws UnknownHostException if the host is unknown
     */
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return resolve(host, AddressRule::lookUp);
    }

    /**
     * The addresses of a host that may be connected to.
     *
     * @param names finds them
     * @throws Refused if it has no such address
     * @throws UnknownHostException if the host is unknown
     */
    public InetAddress[] resolve(String host, Names names) throws UnknownHostException {
        InetAddress[] all = names.resolve(host);
        InetAddress[] open = Stream.of(all).filter(this::allows).toArray(InetAddress[]::new);
        if (open.length == 0) {
            throw refused(host, List.of(all));
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
     * Says why at once if there is no host that may be connected to, which clients would only repeat for ever.
     *
     * @throws UnknownHostException if all hosts are unknown or have no such address
     */
    public void requireAny(List<String> names) throws UnknownHostException {
        List<String> problems = new ArrayList<>();
        for (String name : names) {
            try {
                if (resolve(name).length > 0) {
                    return;
                }
            } catch (UnknownHostException refused) {
                problems.add(String.valueOf(refused.getMessage()));
            }
        }
        throw new UnknownHostException(String.join("; ", problems));
    }

    /**
     * Checks an address to which a socket is about to connect.
     *
     * @throws Refused if it may not
     * @throws UnknownHostException if it has no address of the internet protocol
     */
    public void require(SocketAddress endpoint) throws UnknownHostException {
        if (!(endpoint instanceof InetSocketAddress address)) {
            throw new UnknownHostException("it has no address of the internet protocol");
        }
        if (address.getAddress() == null) {
            throw new UnknownHostException("the host " + address.getHostString() + " is unknown");
        }
        if (!allows(address.getAddress())) {
            throw refused(address.getHostString(), List.of(address.getAddress()));
        }
    }

    /** Whether this address may be connected to. */
    public boolean allows(InetAddress address) {
        return allowsPrivate || PublicAddress.test(address);
    }

    private Refused refused(String host, List<InetAddress> addresses) {
        return new Refused(host + " has no public address; the setting " + setting + " allows other ones", addresses);
    }
}
