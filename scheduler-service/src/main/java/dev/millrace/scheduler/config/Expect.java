package dev.millrace.scheduler.config;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.text.Durations;
import java.time.Duration;

/** Checks the values of settings, and rejects them with {@link ErrorCode#INVALID_CONFIG}. */
final class Expect {
    private Expect() {}

    static void that(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG, key + stated(value) + " (expected: " + expected + ")");
        }
    }

    private static String stated(Object value) {
        return switch (value) {
            case String text when text.isBlank() -> " is not set";
            case Duration duration -> ": " + Durations.text(duration);
            default -> ": " + value;
        };
    }

    static void positive(String key, long value) {
        that(value > 0, key, value, "more than 0");
    }

    static void positive(String key, Duration value) {
        that(value.toMillis() > 0, key, value, "more than 0s");
    }
}
