package dev.millrace.gateway.access;

import com.linecorp.armeria.common.RequestHeaders;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Decides whether a request comes from the own machine, and from nobody behind a program there. The scheduler lets such
 * callers in without a token if it trusts its own machine.
 *
 * <p>A page in a browser reaches loopback addresses under a name of its own (DNS rebinding), and a proxy passes requests
 * of strangers on from a loopback address. So the gateway must listen on loopback only, the peer and the name in `Host`
 * must be loopback, and no header may show that somebody passed the request on.
 */
public enum CallerOrigin {
    LOCAL,
    REMOTE;

    private static final String FORWARDED_PREFIX = "x-forwarded-";

    /** Headers that proxies, tunnels and content networks add, besides those with {@link #FORWARDED_PREFIX}. */
    private static final Set<String> OF_PROXIES = Set.of(
            "forwarded",
            "via",
            "x-real-ip",
            "x-client-ip",
            "client-ip",
            "true-client-ip",
            "x-cluster-client-ip",
            "x-original-host",
            "x-original-forwarded-for",
            "x-envoy-external-address",
            "cf-connecting-ip",
            "fastly-client-ip");

    /**
     * Decides for one request.
     *
     * @param listeningHost address on which the gateway listens, as configured
     */
    public static CallerOrigin of(RequestHeaders headers, InetSocketAddress peer, String listeningHost) {
        boolean isLocal = Loopback.isHost(Loopback.bare(listeningHost))
                && Loopback.isPeer(peer)
                && Loopback.isHost(Loopback.hostName(headers))
                && headers.names().stream().noneMatch(name -> isOfProxy(name.toString()));
        return isLocal ? LOCAL : REMOTE;
    }

    private static boolean isOfProxy(String name) {
        return name.startsWith(FORWARDED_PREFIX) || OF_PROXIES.contains(name);
    }
}
