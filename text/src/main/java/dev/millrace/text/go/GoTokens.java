package dev.millrace.text.go;

import java.util.ArrayList;
import java.util.List;

/** A reader of tokens, which stands at one of them. */
final class GoTokens {
    private static final GoToken END = new GoToken(GoToken.Kind.SIGN, "");

    private final List<GoToken> tokens;
    private int at;

    GoTokens(List<GoToken> tokens) {
        this.tokens = tokens;
    }

    boolean isAtEnd() {
        return at >= tokens.size();
    }

    /** The token here; one without text at the end. */
    GoToken here() {
        return ahead(0);
    }

    GoToken ahead(int count) {
        return at + count < tokens.size() ? tokens.get(at + count) : END;
    }

    GoToken next() {
        GoToken token = here();
        at++;
        return token;
    }

    /** Takes the token here if it is this one. */
    boolean takes(String text) {
        if (!here().is(text)) {
            return false;
        }
        at++;
        return true;
    }

    /** Takes a bracket and all up to the one that closes it, and returns what is between them. */
    List<GoToken> inside() {
        next();
        int begin = at;
        int depth = 1;
        while (!isAtEnd()) {
            depth += step(next());
            if (depth == 0) {
                return tokens.subList(begin, at - 1);
            }
        }
        return tokens.subList(Math.min(begin, tokens.size()), tokens.size());
    }

    /** Splits tokens at commas that no brackets enclose; an empty last part is left out. */
    static List<List<GoToken>> split(List<GoToken> tokens) {
        List<List<GoToken>> parts = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int index = 0; index < tokens.size(); index++) {
            depth += step(tokens.get(index));
            if (depth == 0 && tokens.get(index).is(",")) {
                parts.add(tokens.subList(begin, index));
                begin = index + 1;
            }
        }
        if (begin < tokens.size()) {
            parts.add(tokens.subList(begin, tokens.size()));
        }
        return parts;
    }

    private static int step(GoToken token) {
        if (token.is("(") || token.is("[") || token.is("{")) {
            return 1;
        }
        return token.is(")") || token.is("]") || token.is("}") ? -1 : 0;
    }
}
