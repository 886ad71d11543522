package dev.millrace.scheduler.trigger.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** What the bytes of a message become in an input. */
public enum ContentFormat {
    JSON("JSON"),
    TEXT("text in UTF-8"),
    BASE64("bytes");

    private final String phrase;

    ContentFormat(String phrase) {
        this.phrase = phrase;
    }

    /** What the bytes must be, in a sentence. */
    public String phrase() {
        return phrase;
    }

    /** The value of the bytes; empty if they are not what the format says. */
    public Optional<JsonValue> read(byte[] bytes) {
        return switch (this) {
            case JSON ->
                text(bytes)
                        .filter(text ->
                                text.indexOf('\0') < 0 && JsonText.problem(text).isEmpty())
                        .map(JsonValue::of);
            case TEXT -> text(bytes).map(JsonValue::ofString);
            case BASE64 -> Optional.of(base64(bytes));
        };
    }

    /** Bytes as a text, or in Base64 if they are no UTF-8. */
    public static JsonValue shown(byte[] bytes) {
        return text(bytes).map(JsonValue::ofString).orElseGet(() -> base64(bytes));
    }

    /** Bytes in Base64. */
    public static JsonValue base64(byte[] bytes) {
        return JsonValue.ofString(Base64.getEncoder().encodeToString(bytes));
    }

    private static Optional<String> text(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return Arrays.equals(text.getBytes(UTF_8), bytes) ? Optional.of(text) : Optional.empty();
    }
}
