package dev.millrace.gateway.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.InetAddressPredicates;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxies whose header `X-Forwarded-For` counts. Each proxy appends the address from which it got the request, so
 * the header is read from its end, and the first address that is not a trusted proxy is that of the client.
 */
public final class TrustedProxies {

    private final List<Predicate<InetAddress>> networks;

    private TrustedProxies(List<Predicate<InetAddress>> networks) {
        this.networks = networks;
    }

    /**
     * Reads addresses, and networks in CIDR notation.
     *
     * @throws IllegalArgumentException if a text is neither
     */
    public static TrustedProxies of(List<String> texts) {
        return new TrustedProxies(texts.stream().map(TrustedProxies::network).toList());
    }

    /** The address of the client, as text. */
    public String clientOf(RequestHeaders headers, InetSocketAddress peer) {
        var client = peer.getAddress();
        var hops = headers.getAll(HttpHeaderNames.X_FORWARDED_FOR).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(String::strip)
                .toList();
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            var hop = address(hops.get(i));
            if (hop == null) {
                break;
            }
            client = hop;
        }
        return client.getHostAddress();
    }

    private boolean isTrusted(InetAddress address) {
        return networks.stream().anyMatch(network -> network.test(address));
    }

    private static Predicate<InetAddress> network(String text) {
        try {
            return text.contains("/") ? InetAddressPredicates.ofCidr(text) : InetAddressPredicates.ofExact(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "millrace.http.trusted-proxies: " + text
                            + " (expected: an address such as 10.0.0.7, or a network such as 10.0.0.0/8)",
                    e);
        }
    }

    /** Some proxies add the port. */
    private static @Nullable InetAddress address(String text) {
        var bare = text.replaceFirst("^\\[(.*)](:\\d+)?$", "$1").replaceFirst("^([0-9.]+):\\d+$", "$1");
        return NetUtil.createInetAddressFromIpAddressString(bare);
    }
}
