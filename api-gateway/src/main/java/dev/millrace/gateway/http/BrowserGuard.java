package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.gateway.access.Credential;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.util.Locale;
import java.util.Set;

/**
 * Guard that keeps other web sites from using a visitor's browser against the gateway.
 *
 * <p>DNS rebinding needs a name in `Host` that the attacker controls, so only known names are allowed. A request that
 * changes something must come from a page of exactly this origin if a browser has added the credential, or if there is
 * none. A caller that shows a token in a header is no page of another site.
 */
final class BrowserGuard extends SimpleDecoratingHttpService {

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    /** What browsers say in `Sec-Fetch-Site` of requests that come from the gateway's own pages, or from no page. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private final Site site;

    BrowserGuard(HttpService delegate, Site site) {
        super(delegate);
        this.site = site;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        var headers = request.headers();
        SecurityHeaders.addStrictTransport(context, site);
        if (!site.knows(headers)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "host_not_allowed",
                    "The gateway is not known as \"" + headers.authority()
                            + "\". If it should be, add the name to millrace.http.allowed-hosts."));
        }
        if (context.path().startsWith(Endpoint.HOOKS)) {
            // A webhook has a secret of its own, which no browser adds. Its callers may use any form of Authorization.
            return unwrap().serve(context, request);
        }
        var origin = site.origin(context);
        var credential = Credential.of(context, site);
        if (!READING.contains(request.method()) && isCrossSite(credential, headers, origin)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.FORBIDDEN,
                    "cross_site_request",
                    "A page of another site (" + headers.get(HttpHeaderNames.ORIGIN, "unknown origin")
                            + ") may not change anything here: the gateway knows itself as " + origin
                            + ". If that is wrong, because a proxy is in front, set millrace.gateway.public-url."));
        }
        return unwrap().serve(context, request);
    }

    private static boolean isCrossSite(Credential credential, RequestHeaders headers, String origin) {
        var given = headers.get(HttpHeaderNames.ORIGIN);
        return switch (credential) {
            case Credential.Header _ -> false;
            case Credential.Cookie _ -> given == null || !isSame(given, origin);
            case Credential.None _ -> given == null ? !OWN.contains(fetchSite(headers)) : !isSame(given, origin);
        };
    }

    private static boolean isSame(String given, String origin) {
        return given.toLowerCase(Locale.ROOT).equals(origin);
    }

    private static String fetchSite(RequestHeaders headers) {
        return headers.get(HttpHeaderNames.SEC_FETCH_SITE, "none");
    }
}
