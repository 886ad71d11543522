package dev.millrace.text.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits Python source into names and single characters, as far as the parameters of a function need it. */
final class PythonTokens {
    /** Stands for a string, whatever it contains. */
    private static final String STRING = "\"";

    /**
     * A name, a number, one character, or {@link #STRING}.
     *
     * @param beginsStatement whether it is the first of a statement that is not indented
     */
    record Token(String text, boolean beginsStatement) {}

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int depth;
    private boolean isLineStart = true;

    private PythonTokens(String source) {
        this.source = source;
    }

    /** The tokens; empty for a text with a string that does not end. */
    static Optional<List<Token>> of(String source) {
        PythonTokens reading = new PythonTokens(source);
        return reading.read() ? Optional.of(reading.tokens) : Optional.empty();
    }

    private boolean read() {
        while (at < source.length()) {
            char next = source.charAt(at);
            if (next == '#') {
                at = end(source.indexOf('\n', at));
            } else if (next == '\\' && isNewline(at + 1)) {
                at += source.startsWith("\r\n", at + 1) ? 3 : 2;
                isLineStart = false;
            } else if (next == '\n' || next == '\r') {
                at++;
                isLineStart = true;
            } else if (Character.isWhitespace(next)) {
                at++;
                isLineStart = false;
            } else if (next == '"' || next == '\'') {
                if (!string(next)) {
                    return false;
                }
            } else if (Character.isUnicodeIdentifierPart(next)) {
                name();
            } else {
                add(String.valueOf(next));
                depth += "([{".indexOf(next) >= 0 ? 1 : ")]}".indexOf(next) >= 0 ? -1 : 0;
                at++;
            }
        }
        return true;
    }

    private boolean isNewline(int index) {
        return index < source.length() && (source.charAt(index) == '\n' || source.charAt(index) == '\r');
    }

    private int end(int found) {
        return found < 0 ? source.length() : found;
    }

    private void name() {
        int begin = at;
        while (at < source.length() && Character.isUnicodeIdentifierPart(source.charAt(at))) {
            at++;
        }
        String text = source.substring(begin, at);
        boolean isPrefix = at < source.length()
                && (source.charAt(at) == '"' || source.charAt(at) == '\'')
                && text.matches("(?i)[bfrtu]{1,2}");
        if (!isPrefix) {
            add(text);
        }
    }

    private boolean string(char quote) {
        String triple = String.valueOf(quote).repeat(3);
        String closing = source.startsWith(triple, at) ? triple : String.valueOf(quote);
        add(STRING);
        at += closing.length();
        while (at < source.length()) {
            char next = source.charAt(at);
            if (source.startsWith(closing, at)) {
                at += closing.length();
                return true;
            }
            if (next == '\n' && closing.length() == 1) {
                return false;
            }
            at += next == '\\' ? 2 : 1;
        }
        return false;
    }

    private void add(String text) {
        tokens.add(new Token(text, isLineStart && depth == 0));
        isLineStart = false;
    }
}
