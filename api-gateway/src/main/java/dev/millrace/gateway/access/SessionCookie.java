package dev.millrace.gateway.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cookie of a browser that has logged in. Its value is a token.
 *
 * <p>Over TLS its name has the prefix {@code __Host-}: browsers then take it only over TLS, from this host and for all
 * paths, so that no neighboring host can set it. Without TLS no such prefix is possible.
 */
public final class SessionCookie {

    private static final String SECURE_NAME = "__Host-millrace-session";
    private static final String PLAIN_NAME = "millrace-session";

    private SessionCookie() {}

    /** The token in the cookie of a request; empty if there is none, or if there are several. */
    static Optional<String> find(RequestHeaders headers, boolean isSecure) {
        var start = name(isSecure) + "=";
        var tokens = headers.getAll(HttpHeaderNames.COOKIE).stream()
                .flatMap(line -> Stream.of(line.split(";", -1)))
                .map(String::strip)
                .filter(pair -> pair.startsWith(start))
                .map(pair -> pair.substring(start.length()))
                .toList();
        return tokens.size() == 1 && !tokens.getFirst().isEmpty() ? Optional.of(tokens.getFirst()) : Optional.empty();
    }

    /** The header `Set-Cookie` that keeps a token in the browser. */
    public static String keeping(String token, Duration age, boolean isSecure) {
        return name(isSecure) + "=" + token + attributes(age.toSeconds(), isSecure);
    }

    /** The header `Set-Cookie` that removes the token from the browser. */
    public static String removing(boolean isSecure) {
        return name(isSecure) + "=" + attributes(0, isSecure);
    }

    private static String attributes(long ageSeconds, boolean isSecure) {
        return "; Path=/; Max-Age=" + ageSeconds + "; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "");
    }

    private static String name(boolean isSecure) {
        return isSecure ? SECURE_NAME : PLAIN_NAME;
    }
}
