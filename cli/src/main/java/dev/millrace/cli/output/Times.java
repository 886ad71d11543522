package dev.millrace.cli.output;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats points in time for people, in the time zone of the machine. */
public final class Times {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final Pattern RFC_3339 =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?Z");

    private Times() {}

    /** A sentence of a server with its times on the clock of this machine, as tables show them. */
    public static String inText(String sentence) {
        return RFC_3339.matcher(sentence).replaceAll(found -> text(found.group()));
    }

    /** The time of the day. */
    public static String clock(Instant instant) {
        return CLOCK.format(instant);
    }

    public static String text(Instant instant) {
        return FORMAT.format(instant);
    }

    /** Formats an RFC 3339 text for people; empty if the text is. */
    public static String text(String rfc3339) {
        return rfc3339.isEmpty() ? "" : text(Instant.parse(rfc3339));
    }
}
