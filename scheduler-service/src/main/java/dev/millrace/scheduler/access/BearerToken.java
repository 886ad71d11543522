package dev.millrace.scheduler.access;

/** Reads the value of a header that holds a token, RFC 6750. */
final class BearerToken {
    private static final String SCHEME = "bearer ";

    private BearerToken() {}

    /** The token; empty if the value is something else. */
    static String in(String value) {
        return value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? value.substring(SCHEME.length()).strip()
                : "";
    }
}
