package dev.millrace.cli.output;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats points in time for people, in the time zone of the machine. */
public final class Times {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private Times() {}

    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }

    /** Formats an RFC 3339 text for people; empty if the text is. */
    public static String text(String rfc3339) {
        return rfc3339.isEmpty() ? "" : text(Instant.parse(rfc3339));
    }
}
