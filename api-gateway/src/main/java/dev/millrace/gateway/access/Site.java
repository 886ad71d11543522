package dev.millrace.gateway.access;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.NetUtil;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The names under which browsers know the gateway.
 *
 * @param publicUrl address of the gateway for browsers, if a proxy in front of it changes the scheme; it must pass on
 *     the name in `Host`
 * @param allowedHosts names besides that of the public address, localhost and plain IP addresses; `*` means any
 */
public record Site(Optional<URI> publicUrl, List<String> allowedHosts) {

    private static final String ANY = "*";
    private static final String HTTP = "http";
    private static final String HTTPS = "https";

    public Site {
        publicUrl.ifPresent(Site::requireAddress);
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** Whether the gateway answers to the name in `Host`. Plain addresses and localhost cannot be rebound. */
    public boolean knows(RequestHeaders headers) {
        var host = Loopback.hostName(headers);
        return Loopback.isHost(host)
                || NetUtil.isValidIpV4Address(host)
                || NetUtil.isValidIpV6Address(host)
                || allowedHosts.contains(ANY)
                || allowedHosts.stream().anyMatch(host::equalsIgnoreCase)
                || publicUrl
                        .filter(url -> Loopback.bare(url.getHost()).equals(host))
                        .isPresent();
    }

    /** The origin (scheme, host and port) from which pages of the gateway itself send this request. */
    public String origin(RequestHeaders headers, boolean isTls) {
        var authority = Loopback.authority(headers);
        return publicUrl
                .map(url -> origin(url.getScheme(), url.getRawAuthority()))
                .filter(known -> known.equals(origin(scheme(known), authority)))
                .orElseGet(() -> origin(isTls ? HTTPS : HTTP, authority));
    }

    /** The origin from which pages of the gateway itself send this request. */
    public String origin(ServiceRequestContext context) {
        return origin(context.request().headers(), context.sessionProtocol().isTls());
    }

    /** The address under which browsers reach the gateway, without a slash at its end: its origin, and the prefix of a proxy. */
    public String address(ServiceRequestContext context) {
        return address(context.request().headers(), context.sessionProtocol().isTls());
    }

    String address(RequestHeaders headers, boolean isTls) {
        var origin = origin(headers, isTls);
        return origin
                + publicUrl
                        .filter(url -> origin.equals(origin(url.getScheme(), url.getRawAuthority())))
                        .map(url -> url.getRawPath().replaceFirst("/$", ""))
                        .orElse("");
    }

    /** Whether the browser speaks TLS, be it to the gateway or to a proxy in front of it. */
    public boolean isSecure(ServiceRequestContext context) {
        return scheme(origin(context)).equals(HTTPS);
    }

    /** Whether the browser names the own machine. */
    public boolean isLoopback(ServiceRequestContext context) {
        return Loopback.isHost(Loopback.hostName(context.request().headers()));
    }

    private static String scheme(String origin) {
        return origin.substring(0, origin.indexOf(':'));
    }

    /** An origin as browsers write it: in lower case, and without the port that belongs to the scheme. */
    private static String origin(String scheme, String authority) {
        var lower = authority.toLowerCase(Locale.ROOT);
        var port = scheme.equals(HTTPS) ? ":443" : ":80";
        return scheme + "://" + (lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower);
    }

    private static void requireAddress(URI url) {
        boolean isAddress = (HTTP.equals(url.getScheme()) || HTTPS.equals(url.getScheme()))
                && url.getHost() != null
                && url.getUserInfo() == null
                && url.getQuery() == null
                && url.getFragment() == null
                && !url.getPath().contains("//");
        if (!isAddress) {
            throw new IllegalArgumentException(
                    "millrace.gateway.public-url: " + url
                            + " (expected: scheme, host, port and the prefix of a proxy, such as https://millrace.example/tools)");
        }
    }
}
