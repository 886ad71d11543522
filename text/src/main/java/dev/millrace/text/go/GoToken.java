package dev.millrace.text.go;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A token of Go. Comments and blanks are left out, an operator is split into its characters, and the ends of lines that end
 * a statement are semicolons, as the specification of Go says.
 *
 * @param text the token as it is written; a literal keeps its quotes
 */
record GoToken(Kind kind, String text) {
    private static final Set<String> OPEN_WORDS =
            Set.of("type", "func", "import", "struct", "interface", "map", "chan", "const", "var", "package");

    enum Kind {
        WORD,
        TEXT,
        SIGN
    }

    boolean is(String expected) {
        return kind != Kind.TEXT && text.equals(expected);
    }

    boolean isWord() {
        return kind == Kind.WORD;
    }

    private boolean mayEndStatement() {
        return switch (kind) {
            case WORD -> !OPEN_WORDS.contains(text);
            case TEXT -> true;
            case SIGN -> text.equals(")") || text.equals("]") || text.equals("}");
        };
    }

    /** The tokens of a source. A literal or comment that does not end takes all that is left. */
    static List<GoToken> of(String source) {
        List<GoToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            int end = at + 1;
            if (source.startsWith("//", at)) {
                end = after(source, "\n", at);
            } else if (source.startsWith("/*", at)) {
                end = after(source, "*/", at + 2);
            } else if (c == '`') {
                end = after(source, "`", at + 1);
                tokens.add(new GoToken(Kind.TEXT, source.substring(at, end)));
            } else if (c == '"' || c == '\'') {
                end = quoteEnd(source, at);
                tokens.add(new GoToken(Kind.TEXT, source.substring(at, end)));
            } else if (isWord(c)) {
                while (end < source.length() && isWord(source.charAt(end))) {
                    end++;
                }
                tokens.add(new GoToken(Kind.WORD, source.substring(at, end)));
            } else if (!Character.isWhitespace(c)) {
                tokens.add(new GoToken(Kind.SIGN, String.valueOf(c)));
            }
            boolean isLineEnd = c == '\n'
                    || (c == '/' && end > at + 1 && source.substring(at, end).contains("\n"));
            if (isLineEnd && !tokens.isEmpty() && tokens.get(tokens.size() - 1).mayEndStatement()) {
                tokens.add(new GoToken(Kind.SIGN, ";"));
            }
            at = end;
        }
        return tokens;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || Character.isSurrogate(c);
    }

    private static int after(String source, String end, int from) {
        int found = source.indexOf(end, from);
        return found < 0 ? source.length() : found + end.length();
    }

    private static int quoteEnd(String source, int begin) {
        char quote = source.charAt(begin);
        for (int at = begin + 1; at < source.length(); at++) {
            char c = source.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == quote || c == '\n') {
                return at + 1;
            }
        }
        return source.length();
    }
}
