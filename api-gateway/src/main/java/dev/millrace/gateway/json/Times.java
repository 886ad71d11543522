package dev.millrace.gateway.json;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Converts times and durations between JSON, the well-known messages and `java.time`. */
public final class Times {

    /** Input that {@link #parseDuration} accepts, for messages. */
    public static final String DURATION_EXPECTED =
            "expected: a number and a unit, such as \"250ms\", \"30s\", \"5m\" or \"2h\"";

    /** Input that {@link #parseTime} accepts, for messages. */
    public static final String TIME_EXPECTED = "expected: an RFC 3339 time, such as \"2026-01-31T08:00:00Z\"";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h)");
    private static final int NANO_DIGITS = 9;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_HOUR = 3_600;

    private Times() {}

    /** Parses {@code 250ms}, {@code 1.5s}, {@code 5m} or {@code 2h}; empty if the text is not such a duration. */
    public static Optional<java.time.Duration> parseDuration(String text) {
        var matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var nanosPerUnit = switch (matcher.group(2)) {
            case "ms" -> BigDecimal.valueOf(NANOS_PER_MILLI);
            case "s" -> BigDecimal.valueOf(1, -NANO_DIGITS);
            case "m" -> BigDecimal.valueOf(SECONDS_PER_MINUTE, -NANO_DIGITS);
            case "h" -> BigDecimal.valueOf(SECONDS_PER_HOUR, -NANO_DIGITS);
            case String other -> throw new IllegalStateException("The pattern let pass the unit " + other);
        };
        var nanos = new BigDecimal(matcher.group(1)).multiply(nanosPerUnit).toBigInteger();
        var parts = nanos.divideAndRemainder(BigDecimal.valueOf(1, -NANO_DIGITS).toBigInteger());
        return Optional.of(java.time.Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact()));
    }

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
