package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;

/**
 * The header {@code Content-Type}.
 *
 * @param type in lower case, for example {@code application/json}; empty if there is none
 * @param parameters what follows the type, as given
 */
record ContentType(String type, String parameters) {
    ContentType {
        requireNonNull(type, "type");
        requireNonNull(parameters, "parameters");
    }

    static ContentType of(String header) {
        int end = header.indexOf(';');
        return end < 0
                ? new ContentType(header.strip().toLowerCase(Locale.ROOT), "")
                : new ContentType(header.substring(0, end).strip().toLowerCase(Locale.ROOT), header.substring(end + 1));
    }

    boolean isJson() {
        return type.equals("application/json") || type.endsWith("+json") || type.equals("text/json");
    }

    boolean isText() {
        return type.startsWith("text/") || type.endsWith("+xml") || type.equals("application/xml");
    }

    /** The value of a parameter, without quotes; empty if it is absent. */
    Optional<String> parameter(String name) {
        for (String part : parameters.split(";", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0 && part.substring(0, equals).strip().equalsIgnoreCase(name)) {
                return Optional.of(unquoted(part.substring(equals + 1).strip()));
            }
        }
        return Optional.empty();
    }

    private static String unquoted(String text) {
        boolean isQuoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return isQuoted ? text.substring(1, text.length() - 1) : text;
    }
}
