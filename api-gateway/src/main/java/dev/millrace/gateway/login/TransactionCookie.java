package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The cookie by which a browser shows that it has begun the login that it finishes. Without it, somebody could make a
 * browser finish a login of theirs, so that its user works in a foreign account without noticing.
 */
final class TransactionCookie {

    private static final String SECURE_NAME = "__Host-millrace-login";
    private static final String PLAIN_NAME = "millrace-login";
    private static final int AGE_SECONDS = 600;
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    private TransactionCookie() {}

    static Optional<String> find(RequestHeaders headers, boolean isSecure) {
        var start = name(isSecure) + "=";
        return headers.getAll(HttpHeaderNames.COOKIE).stream()
                .flatMap(line -> Stream.of(line.split(";", -1)))
                .map(String::strip)
                .filter(pair -> pair.startsWith(start))
                .map(pair -> pair.substring(start.length()))
                .filter(value -> VALUE.matcher(value).matches())
                .findFirst();
    }

    static String keeping(String transaction, boolean isSecure) {
        return cookie(transaction, AGE_SECONDS, isSecure);
    }

    static String removing(boolean isSecure) {
        return cookie("", 0, isSecure);
    }

    private static String cookie(String value, int ageSeconds, boolean isSecure) {
        return name(isSecure) + "=" + value + "; Path=/; Max-Age=" + ageSeconds + "; HttpOnly; SameSite=Lax"
                + (isSecure ? "; Secure" : "");
    }

    private static String name(boolean isSecure) {
        return isSecure ? SECURE_NAME : PLAIN_NAME;
    }
}
