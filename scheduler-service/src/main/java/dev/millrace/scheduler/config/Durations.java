package dev.millrace.scheduler.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as people write them: {@code 250ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d}, or ISO-8601. */
final class Durations {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Durations() {}

    /** Fails with {@link IllegalArgumentException} on anything else. */
    static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text.strip());
        if (!matcher.matches()) {
            return iso(text.strip());
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static Duration iso(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new IllegalArgumentException("expected a duration such as 250ms, 30s, 5m or 2h", unreadable);
        }
    }
}
