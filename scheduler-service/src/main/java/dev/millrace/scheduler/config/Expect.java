package dev.millrace.scheduler.config;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;

/** Checks the values of settings, and rejects them with {@link ErrorCode#INVALID_CONFIG}. */
final class Expect {
    private Expect() {}

    static void that(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG, key + ": " + shown(value) + " (expected: " + expected + ")");
        }
    }

    private static Object shown(Object value) {
        return value instanceof String text && text.isBlank() ? "\"" + text + "\"" : value;
    }

    static void positive(String key, long value) {
        that(value > 0, key, value, "more than 0");
    }

    static void positive(String key, Duration value) {
        that(value.toMillis() > 0, key, value, "more than 0s");
    }
}
