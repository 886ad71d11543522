package dev.millrace.scheduler.secret.core;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The value of a secret. It never shows in logs, because {@link #toString} hides it.
 *
 * @param text what processes get
 */
public record SecretValue(String text) {
    /** Least number of characters. Shorter values occur by chance in output, where masking would make it unreadable. */
    public static final int CHARS_MIN = 8;
    /** Maximum size, in bytes of UTF-8. */
    public static final int BYTES_MAX = 64 << 10;

    /** Fails with {@link IllegalArgumentException} if the text breaks the rules. */
    public SecretValue {
        requireNonNull(text, "text");
        problem(text).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    /** Why a text cannot be the value of a secret; empty if it can. The message does not show the text. */
    public static Optional<String> problem(String text) {
        int characters = text.codePointCount(0, text.length());
        if (characters < CHARS_MIN) {
            return Optional.of("has " + characters + " characters (expected: at least " + CHARS_MIN
                    + ", because shorter texts occur by chance and cannot be masked)");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > BYTES_MAX) {
            return Optional.of("has " + bytes + " bytes (expected: at most " + BYTES_MAX + ")");
        }
        return text.indexOf('\0') >= 0 ? Optional.of("contains a NUL character: remove it") : Optional.empty();
    }

    @Override
    public String toString() {
        return "SecretValue[***]";
    }
}
