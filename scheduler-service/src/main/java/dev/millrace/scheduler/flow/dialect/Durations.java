package dev.millrace.scheduler.flow.dialect;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations such as {@code 250ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}. */
public final class Durations {
    /** Nine digits of days are far more than any limit, and no overflow. */
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    case "h" -> Duration.ofHours(amount);
                    default -> Duration.ofDays(amount);
                });
    }

    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % Duration.ofDays(1).toMillis() == 0 && millis > 0) {
            return duration.toDays() + "d";
        }
        return millis % 1_000 == 0 ? duration.toSeconds() + "s" : millis + "ms";
    }
}
