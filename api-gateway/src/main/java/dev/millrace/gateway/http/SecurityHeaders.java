package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.access.Site;

/** Headers of every answer: what a browser may do with it. */
final class SecurityHeaders {

    static final HttpHeaders ALL = HttpHeaders.builder()
            .add("x-content-type-options", "nosniff")
            .add("x-frame-options", "DENY")
            // With no-referrer, browsers would say "Origin: null" when they send the forms of our own pages.
            .add("referrer-policy", "same-origin")
            .add("cross-origin-resource-policy", "same-origin")
            .add("cross-origin-opener-policy", "same-origin")
            .add(
                    "content-security-policy",
                    // The editor of the console draws its marks from data URLs; all else comes only from here, and
                    // nothing is inline.
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
                            + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
            .build();

    /** Two years, as browsers demand for their built-in lists. */
    private static final String STRICT_TRANSPORT = "max-age=63072000";

    private SecurityHeaders() {}

    /**
     * Makes the browser speak TLS from now on, if it does so already. Not for the own machine: browsers would then demand
     * TLS of all other servers there, too.
     */
    static void addStrictTransport(ServiceRequestContext context, Site site) {
        if (site.isSecure(context) && !site.isLoopback(context)) {
            context.setAdditionalResponseHeader(HttpHeaderNames.STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
        }
    }
}
