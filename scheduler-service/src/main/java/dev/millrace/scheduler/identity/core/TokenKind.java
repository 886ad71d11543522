package dev.millrace.scheduler.identity.core;

import java.util.Arrays;
import java.util.Optional;

/** Kinds of tokens. Each has a letter of its own in the text of its tokens. */
public enum TokenKind {
    USER('u', "user"),
    SERVICE_ACCOUNT('s', "service-account"),
    WORKER('w', "worker"),
    GATEWAY('g', "gateway"),
    /** Of a user's browser. */
    SESSION('c', "session");

    private static final TokenKind[] ALL = values();

    private final char letter;
    private final String text;

    TokenKind(char letter, String text) {
        this.letter = letter;
        this.text = text;
    }

    char letter() {
        return letter;
    }

    /** The name in tables. */
    public String text() {
        return text;
    }

    /** The kind with this {@link #text}. */
    public static TokenKind of(String text) {
        return Arrays.stream(ALL)
                .filter(kind -> kind.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no kind of token \"" + text + "\"."));
    }

    static Optional<TokenKind> of(char letter) {
        return Arrays.stream(ALL).filter(kind -> kind.letter == letter).findFirst();
    }
}
