package dev.millrace.scheduler.expression;

/** Encoder and decoder of JSON strings. */
public final class JsonStrings {
    private static final String HEX = "0123456789abcdef";

    private JsonStrings() {}

    /** Returns the JSON string with this content, including the quotes. */
    public static String quote(String content) {
        StringBuilder target = new StringBuilder(content.length() + 2);
        appendQuoted(target, content);
        return target.toString();
    }

    /** Appends the JSON string with this content, including the quotes. */
    public static void appendQuoted(StringBuilder target, String content) {
        target.append('"');
        for (int i = 0; i < content.length(); i++) {
            appendEscaped(target, content.charAt(i));
        }
        target.append('"');
    }

    private static void appendEscaped(StringBuilder target, char c) {
        switch (c) {
            case '"' -> target.append("\\\"");
            case '\\' -> target.append("\\\\");
            case '\n' -> target.append("\\n");
            case '\r' -> target.append("\\r");
            case '\t' -> target.append("\\t");
            default -> {
                if (c < ' ') {
                    target.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
                } else {
                    target.append(c);
                }
            }
        }
    }

    /** Decodes the JSON string at {@code [start, end)}, a range that includes the quotes. */
    static String unquote(String text, int start, int end) {
        if (end - start < 2 || text.charAt(start) != '"') {
            throw new EvaluationFailed("A value is not JSON: a string is expected at character " + start + ".");
        }
        int escape = text.indexOf('\\', start, end);
        return escape < 0 ? text.substring(start + 1, end - 1) : unescape(text, start + 1, end - 1);
    }

    private static String unescape(String text, int start, int end) {
        StringBuilder content = new StringBuilder(end - start);
        int position = start;
        while (position < end) {
            char c = text.charAt(position);
            if (c != '\\') {
                content.append(c);
                position++;
            } else if (position + 1 < end && text.charAt(position + 1) == 'u') {
                content.append(unicode(text, position + 2, end));
                position += 6;
            } else {
                content.append(simple(text, position + 1, end));
                position += 2;
            }
        }
        return content.toString();
    }

    private static char unicode(String text, int start, int end) {
        try {
            if (start + 4 <= end) {
                return (char) Integer.parseInt(text, start, start + 4, 16);
            }
        } catch (NumberFormatException notHexadecimal) {
            // Reported below, like an incomplete escape.
        }
        throw badEscape(start);
    }

    private static char simple(String text, int position, int end) {
        if (position >= end) {
            throw badEscape(position);
        }
        return switch (text.charAt(position)) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"' -> '"';
            case '\\' -> '\\';
            case '/' -> '/';
            default -> throw badEscape(position);
        };
    }

    private static EvaluationFailed badEscape(int position) {
        return new EvaluationFailed("A value is not JSON: a string has a bad escape at character " + position + ".");
    }
}
