package dev.millrace.worker.internal.secret.core;

import java.nio.charset.StandardCharsets;

/**
 * Finds the ends of JSON values in raw bytes, without parsing them. What is not JSON is passed over in some way, but
 * never beyond the end.
 */
final class JsonScanner {
    private static final int HEX = 16;
    private static final int UNICODE_DIGITS = 4;

    private JsonScanner() {}

    static int skipSpace(byte[] json, int from) {
        int at = from;
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r')) {
            at++;
        }
        return at;
    }

    /** Returns the end of the value that begins here. */
    static int skipValue(byte[] json, int from) {
        int depth = 0;
        int at = from;
        while (at < json.length) {
            byte value = json[at];
            if (value == '"') {
                at = skipString(json, at);
            } else if (isScalar(value)) {
                at = skipScalar(json, at);
            } else {
                depth += value == '{' || value == '[' ? 1 : value == '}' || value == ']' ? -1 : 0;
                at++;
            }
            if (depth <= 0) {
                return at;
            }
        }
        return at;
    }

    /** Returns the end of the string that begins at this quote, behind its closing quote. */
    static int skipString(byte[] json, int from) {
        int at = from + 1;
        while (at < json.length && json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, json.length);
    }

    /** Whether a number, true, false or null consists of such bytes. */
    static boolean isScalar(byte value) {
        return (value >= '0' && value <= '9')
                || (value >= 'a' && value <= 'z')
                || (value >= 'A' && value <= 'Z')
                || value == '-'
                || value == '+'
                || value == '.';
    }

    static int skipScalar(byte[] json, int from) {
        int at = from;
        while (at < json.length && isScalar(json[at])) {
            at++;
        }
        return at;
    }

    /** Returns the text of the string between these positions, quotes included, as JSON means it. */
    static String text(byte[] json, int from, int to) {
        int end = to - from >= 2 && json[to - 1] == '"' ? to - 1 : to;
        String raw = new String(json, from + 1, Math.max(0, end - from - 1), StandardCharsets.UTF_8);
        if (raw.indexOf('\\') < 0) {
            return raw;
        }
        StringBuilder text = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '\\' || i + 1 == raw.length()) {
                text.append(c);
                continue;
            }
            char escaped = raw.charAt(++i);
            if (escaped == 'u' && i + UNICODE_DIGITS < raw.length()) {
                text.append((char) unicode(raw, i + 1));
                i += UNICODE_DIGITS;
            } else {
                text.append(unescaped(escaped));
            }
        }
        return text.toString();
    }

    private static int unicode(String raw, int from) {
        int value = 0;
        for (int i = from; i < from + UNICODE_DIGITS; i++) {
            value = value * HEX + Math.max(0, Character.digit(raw.charAt(i), HEX));
        }
        return value;
    }

    private static char unescaped(char escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> escaped;
        };
    }
}
