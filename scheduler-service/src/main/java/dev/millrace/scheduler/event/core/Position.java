package dev.millrace.scheduler.event.core;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the order in which events were committed.
 *
 * @param epoch the database server whose transactions the position counts
 * @param transaction the transaction of the last event before this place
 * @param number the number of that event within its transaction
 * @param timeMillis when that event was stored, in milliseconds since 1970; tells whether later events may be gone
 */
public record Position(int epoch, long transaction, long number, long timeMillis) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})-(\\d{1,18})-(\\d{1,18})-(\\d{1,15})");

    /** Parses {@link #text}; empty if it is no position. */
    public static Optional<Position> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Position(
                        Integer.parseInt(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)),
                        Long.parseLong(parts.group(4))))
                : Optional.empty();
    }

    /** The form that readers keep. They must not look into it. */
    public String text() {
        return epoch + "-" + transaction + "-" + number + "-" + timeMillis;
    }
}
