package dev.millrace.cli.output;

/**
 * Characters that control a terminal, or the order of text on it, instead of being shown. Jobs choose much of what the
 * command line prints, so such characters are printed as text unless the command line itself means them.
 */
public final class ControlCharacters {
    private static final int C1_LAST = 0x9f;

    /** Follows the printable characters of ASCII. */
    static final int DELETE = 0x7f;

    private static final int BYTE_LAST = 0xff;

    private ControlCharacters() {}

    /**
     * Whether this code point is not text: C0 and C1 controls, delete, line separators beyond them, and marks that
     * change the direction of text.
     */
    public static boolean contains(int codePoint) {
        return codePoint < ' '
                || (codePoint >= DELETE && codePoint <= C1_LAST)
                || codePoint == 0x061c
                || codePoint == 0x200e
                || codePoint == 0x200f
                || (codePoint >= 0x2028 && codePoint <= 0x202e)
                || (codePoint >= 0x2066 && codePoint <= 0x2069)
                || (codePoint >= 0xfff9 && codePoint <= 0xfffb);
    }

    /** The character in the notation of people and most languages: {@code \n}, {@code \x1b}, {@code \u202e}. */
    static String visible(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(codePoint <= BYTE_LAST ? "\\x%02x" : "\\u%04x", codePoint);
        };
    }

    /**
     * The text as one line without control characters, for names, cells of tables, and all that must keep its place.
     */
    public static String line(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (contains(text.charAt(i))) {
                return escaped(text, i);
            }
        }
        return text;
    }

    private static String escaped(String text, int from) {
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, from);
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (contains(c)) {
                line.append(visible(c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
