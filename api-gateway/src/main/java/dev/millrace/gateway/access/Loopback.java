package dev.millrace.gateway.access;

import com.linecorp.armeria.common.RequestHeaders;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;

/** Recognizes names and addresses of the own machine, without asking a resolver. */
final class Loopback {

    private static final String LOCALHOST = "localhost";

    private Loopback() {}

    /** Whether the name, without port and brackets, is one of the own machine. Nobody can register such a name. */
    static boolean isHost(String host) {
        return host.equals(LOCALHOST)
                || host.endsWith("." + LOCALHOST)
                || host.equals("::1")
                || (NetUtil.isValidIpV4Address(host) && host.startsWith("127."));
    }

    /** Whether the address is one of the own machine. */
    static boolean isPeer(InetSocketAddress address) {
        return address.getAddress() != null && address.getAddress().isLoopbackAddress();
    }

    /** The name in `Host` without port and brackets, in lower case; the whole text if it is not a host. */
    static String hostName(RequestHeaders headers) {
        var authority = authority(headers);
        try {
            var host = URI.create("http://" + authority).getHost();
            return host == null ? authority : bare(host);
        } catch (IllegalArgumentException notAHost) {
            return authority;
        }
    }

    /** A host without brackets, in lower case. */
    static String bare(String host) {
        boolean hasBrackets = host.startsWith("[") && host.endsWith("]");
        return (hasBrackets ? host.substring(1, host.length() - 1) : host).toLowerCase(Locale.ROOT);
    }

    /** The text of `Host` in lower case; empty if there is none. */
    static String authority(RequestHeaders headers) {
        var authority = headers.authority();
        return authority == null ? "" : authority.toLowerCase(Locale.ROOT);
    }
}
