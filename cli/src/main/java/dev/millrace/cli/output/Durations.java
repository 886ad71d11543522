package dev.millrace.cli.output;

import java.time.Duration;
import java.util.Locale;

/**
 * Formats durations for people, with about three digits: {@code 0.4 ms}, {@code 12 ms}, {@code 1.24 s},
 * {@code 3 min 5 s}.
 */
public final class Durations {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MILLIS_PER_SECOND = 1000;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SECONDS_PER_HOUR = 3600;
    private static final double WHOLE_MILLIS_FROM = 9.95;

    private Durations() {}

    public static String text(Duration duration) {
        double millis = duration.toNanos() / NANOS_PER_MILLI;
        if (millis < WHOLE_MILLIS_FROM) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        if (Math.round(millis) < MILLIS_PER_SECOND) {
            return Math.round(millis) + " ms";
        }
        long seconds = Math.round(millis / MILLIS_PER_SECOND);
        if (millis < SECONDS_PER_MINUTE * MILLIS_PER_SECOND) {
            return String.format(Locale.ROOT, "%.2f s", millis / MILLIS_PER_SECOND);
        }
        return seconds < SECONDS_PER_HOUR
                ? seconds / SECONDS_PER_MINUTE + " min " + seconds % SECONDS_PER_MINUTE + " s"
                : seconds / SECONDS_PER_HOUR + " h " + seconds % SECONDS_PER_HOUR / SECONDS_PER_MINUTE + " min";
    }
}
