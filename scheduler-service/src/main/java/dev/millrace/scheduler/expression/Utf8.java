package dev.millrace.scheduler.expression;

import java.nio.charset.StandardCharsets;

/** Sizes of texts in UTF-8. */
public final class Utf8 {
    /** Maximum bytes in UTF-8 of one UTF-16 unit. */
    private static final int BYTES_PER_UNIT_MAX = 3;

    private Utf8() {}

    /**
     * Whether the text of a value takes more than {@code bytesMax} bytes. Encodes the text only if its length does not
     * already decide.
     */
    public static boolean exceeds(JsonValue value, int bytesMax) {
        int units = value.length();
        if (units > bytesMax) {
            return true;
        }
        return (long) units * BYTES_PER_UNIT_MAX > bytesMax
                && value.text().getBytes(StandardCharsets.UTF_8).length > bytesMax;
    }
}
