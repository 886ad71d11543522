package dev.millrace.scheduler.expression;

import java.nio.charset.StandardCharsets;

/** Sizes in bytes. */
public final class Utf8 {
    /** Most bytes that one UTF-16 unit takes in UTF-8. */
    private static final int BYTES_PER_UNIT_MAX = 3;

    private Utf8() {}

    /** Whether the text of a value takes more than {@code bytesMax} bytes; counts only where the length leaves a doubt. */
    public static boolean exceeds(JsonValue value, int bytesMax) {
        int units = value.length();
        if (units > bytesMax) {
            return true;
        }
        return (long) units * BYTES_PER_UNIT_MAX > bytesMax
                && value.text().getBytes(StandardCharsets.UTF_8).length > bytesMax;
    }
}
