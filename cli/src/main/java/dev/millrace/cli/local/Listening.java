package dev.millrace.cli.local;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Line with which a service says where it listens, who can reach it, and how to change that.
 *
 * @param service what listens, with its verb, as in {@code The gateway serves HTTP}
 * @param flag flag that sets the address
 * @param variable environment variable that sets the address
 */
record Listening(String service, String flag, String variable) {
    Listening {
        requireNonNull(service, "service");
        requireNonNull(flag, "flag");
        requireNonNull(variable, "variable");
    }

    String line(String host, int port) {
        String address = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        return service + " on " + address
                + (isLoopback(host)
                        ? ", which only this machine reaches. For other machines, set " + flag + " or " + variable
                                + " to an address of this one, or to 0.0.0.0 for all; they need TLS and a token."
                        : ". Other machines reach this address, with a token. To listen for this machine alone, set "
                                + flag + " or " + variable + " to 127.0.0.1.");
    }

    /** The name can be resolved, because the service has bound the address. */
    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unresolved) {
            return false;
        }
    }
}
