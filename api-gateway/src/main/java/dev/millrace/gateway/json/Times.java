package dev.millrace.gateway.json;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.text.Durations;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Converts times and durations between JSON, the well-known messages and `java.time`. */
public final class Times {

    /** Input that {@link Durations#parse} accepts, for messages. */
    public static final String DURATION_EXPECTED =
            "expected: a number and a unit, such as \"250ms\", \"30s\", \"5m\" or \"2h\"";

    /** Input that {@link #parseTime} accepts, for messages. */
    public static final String TIME_EXPECTED = "expected: an RFC 3339 time, such as \"2026-01-31T08:00:00Z\"";

    private static final int NANO_DIGITS = 9;

    private Times() {}

    /** Parses a time with any offset; empty if the text is not a time. */
    public static Optional<Instant> parseTime(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException notATime) {
            return Optional.empty();
        }
    }

    public static Duration message(java.time.Duration duration) {
        return Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    public static Timestamp message(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }

    static String rfc3339(Timestamp time) {
        try {
            return Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("The scheduler sent a time out of range: " + time, e);
        }
    }

    static String seconds(Duration duration) {
        var seconds =
                BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNanos(), NANO_DIGITS));
        return seconds.stripTrailingZeros().toPlainString() + "s";
    }
}
