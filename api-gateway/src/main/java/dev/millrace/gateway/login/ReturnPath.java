package dev.millrace.gateway.login;

import java.util.regex.Pattern;

/** Where a browser goes after a login: a page of the gateway, never of another site. */
final class ReturnPath {

    static final String START = "/";

    private static final int LENGTH_MAX = 1_000;

    /** One slash, then no second one and no backslash, which browsers read as one; all of it printable. */
    private static final Pattern LOCAL = Pattern.compile("/(?![/\\\\])[!-\\[\\]-~]*");

    private ReturnPath() {}

    /** The path if it is one of the gateway, without the prefix of a proxy; else the start page. */
    static String of(String wished) {
        return wished.length() <= LENGTH_MAX && LOCAL.matcher(wished).matches() ? wished : START;
    }
}
