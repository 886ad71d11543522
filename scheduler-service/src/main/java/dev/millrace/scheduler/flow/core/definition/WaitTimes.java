package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.text.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads the durations and moments that expressions evaluate to. */
public final class WaitTimes {
    private static final double MILLIS_PER_SECOND = 1_000;
    private static final int HALF_A_MILLI = 500_000;
    private static final List<Function<String, Instant>> MOMENTS = List.of(
            text -> OffsetDateTime.parse(text).toInstant(),
            text -> ZonedDateTime.parse(text, DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ROOT))
                    .toInstant(),
            text -> LocalDateTime.parse(text, DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT))
                    .toInstant(ZoneOffset.UTC),
            text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));

    private WaitTimes() {}

    /**
     * Reads a number of seconds, or a text such as {@code 5m}, {@code 250ms} or {@code 1h 30m}; empty for anything
     * else.
     */
    public static Optional<Duration> duration(JsonValue value) {
        return switch (value.kind()) {
            case NUMBER -> number(value).flatMap(seconds -> ofMillis(seconds * MILLIS_PER_SECOND));
            case STRING ->
                Durations.parseSum(value.string())
                        .filter(time -> time.compareTo(FlowLimits.WAIT_MAX) <= 0)
                        .map(time ->
                                Duration.ofMillis(time.plusNanos(HALF_A_MILLI).toMillis()));
            case OBJECT, ARRAY, BOOLEAN, NULL -> Optional.empty();
        };
    }

    /** Reads a number; empty if the value only begins like one, because job results are not validated. */
    private static Optional<Double> number(JsonValue value) {
        try {
            return Optional.of(Double.valueOf(value.toString()));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> ofMillis(double millis) {
        return millis >= 0 && millis <= FlowLimits.WAIT_MAX.toMillis()
                ? Optional.of(Duration.ofMillis(Math.round(millis)))
                : Optional.empty();
    }

    /**
     * Reads a moment; empty for anything else. The forms are RFC 3339, {@code yyyy-MM-dd HH:mm} with or without a time
     * zone, a date, and milliseconds since 1970. Without a time zone, the text means UTC.
     */
    public static Optional<Instant> moment(JsonValue value) {
        return switch (value.kind()) {
            case NUMBER -> number(value).flatMap(millis -> instant(() -> Instant.ofEpochMilli(millis.longValue())));
            case STRING ->
                MOMENTS.stream()
                        .flatMap(format ->
                                instant(() -> format.apply(value.string().strip())).stream())
                        .findFirst();
            case OBJECT, ARRAY, BOOLEAN, NULL -> Optional.empty();
        };
    }

    private static Optional<Instant> instant(Supplier<Instant> reading) {
        try {
            return Optional.of(reading.get()).filter(WaitTimes::isStorable);
        } catch (DateTimeException noMoment) {
            return Optional.empty();
        }
    }

    private static boolean isStorable(Instant moment) {
        return moment.isAfter(Instant.EPOCH.minus(FlowLimits.WAIT_MAX)) && moment.isBefore(FlowLimits.MOMENT_MAX);
    }
}
