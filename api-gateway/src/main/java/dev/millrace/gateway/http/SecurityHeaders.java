package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpHeaders;

/** Headers of every answer: what a browser may do with it. */
final class SecurityHeaders {

    static final HttpHeaders ALL = HttpHeaders.builder()
            .add("x-content-type-options", "nosniff")
            .add("x-frame-options", "DENY")
            .add("referrer-policy", "no-referrer")
            .add("cross-origin-resource-policy", "same-origin")
            .add(
                    "content-security-policy",
                    // Swagger UI needs inline styles and images from data URLs; scripts come only from here.
                    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none';"
                            + " form-action 'none'; frame-ancestors 'none'")
            .build();

    private SecurityHeaders() {}
}
