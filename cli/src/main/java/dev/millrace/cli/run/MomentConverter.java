package dev.millrace.cli.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a time: RFC 3339, which the server checks, or how long ago it was, such as {@code 90m}, {@code 1h} or
 * {@code 7d}.
 */
final class MomentConverter implements ITypeConverter<String> {
    /** Accepted forms, for descriptions of options. */
    static final String FORMS = "RFC 3339, or how long ago: 90m, 1h, 7d";

    private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);

    @Override
    public String convert(String text) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            Duration time =
                    Duration.of(Long.parseLong(ago.group(1)), UNITS.getOrDefault(ago.group(2), ChronoUnit.SECONDS));
            return Instant.now().minus(time).truncatedTo(ChronoUnit.MILLIS).toString();
        }
        if (!text.contains("T")) {
            throw new TypeConversionException("\"" + text + "\" is not a time (expected: " + FORMS + ")");
        }
        return text;
    }
}
