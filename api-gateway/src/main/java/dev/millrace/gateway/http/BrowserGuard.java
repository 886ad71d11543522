package dev.millrace.gateway.http;

import static java.util.Locale.ROOT;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import io.netty.util.NetUtil;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * Guard that keeps other web sites from using a visitor's browser against a gateway on loopback or inside a network.
 *
 * <p>DNS rebinding needs a name in `Host` that the attacker controls, so only known names are allowed. Plain addresses
 * and localhost cannot be rebound. If a page sends a request that changes something, the page must come from this
 * gateway.
 */
final class BrowserGuard extends SimpleDecoratingHttpService {

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final String ANY = "*";

    private final List<String> allowedHosts;

    BrowserGuard(HttpService delegate, List<String> allowedHosts) {
        super(delegate);
        this.allowedHosts = allowedHosts;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        var headers = request.headers();
        var host = hostName(headers);
        if (!isAllowed(host)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "host_not_allowed",
                    "The gateway is not known as \"" + host
                            + "\". If it should be, add the name to millrace.http.allowed-hosts."));
        }
        if (!READING.contains(request.method()) && isCrossSite(headers)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.FORBIDDEN,
                    "cross_site_request",
                    "A page of another site (" + headers.get("origin", "unknown origin")
                            + ") may not change anything here."));
        }
        return unwrap().serve(context, request);
    }

    private boolean isAllowed(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || NetUtil.isValidIpV4Address(host)
                || NetUtil.isValidIpV6Address(host)
                || allowedHosts.contains(ANY)
                || allowedHosts.stream().anyMatch(host::equalsIgnoreCase);
    }

    private static boolean isCrossSite(RequestHeaders headers) {
        var origin = headers.get("origin");
        if (origin != null) {
            // The scheme is ignored: a proxy in front may speak HTTPS to the browser and HTTP to the gateway.
            return !origin.toLowerCase(ROOT).endsWith("://" + authority(headers).toLowerCase(ROOT));
        }
        return headers.get("sec-fetch-site", "none").equals("cross-site");
    }

    /** The name in `Host` without port and brackets, in lower case; empty if there is none. */
    private static String hostName(RequestHeaders headers) {
        var authority = authority(headers);
        try {
            var host = URI.create("http://" + authority).getHost();
            return host == null ? authority : host.replaceAll("[\\[\\]]", "").toLowerCase(ROOT);
        } catch (IllegalArgumentException notAHost) {
            return authority;
        }
    }

    private static String authority(RequestHeaders headers) {
        var authority = headers.authority();
        return authority == null ? "" : authority;
    }
}
