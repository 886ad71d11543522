package dev.millrace.gateway.access;

import static com.linecorp.armeria.common.HttpHeaderNames.AUTHORIZATION;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.ProblemException;
import java.util.Optional;

/**
 * What a request shows of who calls. The gateway does not judge it: it passes the token on to the scheduler, and has no
 * authority of its own. A token in the header `Authorization` comes before a cookie.
 */
public sealed interface Credential {

    /** A token that the caller put into the header, which no page of another site can do. */
    record Header(String token) implements Credential {
        @Override
        public String toString() {
            return "Header[hidden]";
        }
    }

    /** A token that the browser added, whichever page sends the request. */
    record Cookie(String token) implements Credential {
        @Override
        public String toString() {
            return "Cookie[hidden]";
        }
    }

    /** No token. */
    record None() implements Credential {}

    /** The token; empty if the request shows none. */
    default Optional<String> shown() {
        return switch (this) {
            case Header(var token) -> Optional.of(token);
            case Cookie(var token) -> Optional.of(token);
            case None() -> Optional.empty();
        };
    }

    /**
     * Reads the credential of a request.
     *
     * @throws ProblemException with status 401 if the header is there, but is no bearer token
     */
    static Credential of(ServiceRequestContext context, Site site) {
        return of(context.request().headers(), site.isSecure(context));
    }

    /**
     * Reads the credential of a request.
     *
     * @param isSecure whether the browser speaks TLS, which decides the name of the cookie
     */
    static Credential of(RequestHeaders headers, boolean isSecure) {
        var authorizations = headers.getAll(AUTHORIZATION);
        if (!authorizations.isEmpty()) {
            return new Header(BearerHeader.token(authorizations));
        }
        return SessionCookie.find(headers, isSecure)
                .filter(BearerHeader::isToken)
                .<Credential>map(Cookie::new)
                .orElseGet(None::new);
    }
}
