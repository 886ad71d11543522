package dev.millrace.cli.run;

import dev.millrace.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a time: RFC 3339, which the server checks, or how long ago it was, such as {@code 90m}, {@code 1h} or
 * {@code 7d}.
 */
public final class MomentConverter implements ITypeConverter<String> {
    /** Accepted forms, for descriptions of options. */
    public static final String FORMS = "RFC 3339, or how long ago: 90m, 1h, 7d";

    @Override
    public String convert(String text) {
        Optional<Duration> ago = Durations.parse(text);
        if (ago.isPresent()) {
            return Instant.now().minus(ago.get()).truncatedTo(ChronoUnit.MILLIS).toString();
        }
        if (!text.contains("T")) {
            throw new TypeConversionException("\"" + text + "\" is not a time (expected: " + FORMS + ")");
        }
        return text;
    }
}
