package dev.millrace.handler.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of the header {@code Content-Type}. */
final class MediaTypes {
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*(?:\"([^\"]*)\"|([^;\\s]*))", Pattern.CASE_INSENSITIVE);

    private MediaTypes() {}

    /** The parameter {@code charset}; empty if it is absent or blank. */
    static Optional<String> charset(String contentType) {
        Matcher parameter = CHARSET.matcher(contentType);
        return parameter.find()
                ? Optional.of(parameter.group(1) == null ? parameter.group(2) : parameter.group(1))
                        .filter(name -> !name.isBlank())
                : Optional.empty();
    }
}
