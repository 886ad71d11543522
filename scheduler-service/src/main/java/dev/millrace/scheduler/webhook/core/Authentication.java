package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;

/**
 * What callers of a webhook must show.
 *
 * @param header for {@link Scheme#TOKEN}: name of the header that has the secret, in lower case; empty means a bearer
 *     token in {@code Authorization}
 * @param user for {@link Scheme#BASIC}: name of the user
 * @param window largest difference between the time that a caller has signed and that of the server
 */
public record Authentication(Scheme scheme, String header, String user, Duration window) {
    public static final Duration WINDOW_DEFAULT = Duration.ofMinutes(5);
    public static final Duration WINDOW_MAX = Duration.ofHours(1);

    public Authentication {
        requireNonNull(scheme, "scheme");
        header = header.toLowerCase(Locale.ROOT);
        requireNonNull(user, "user");
        requireNonNull(window, "window");
    }

    /** Name of the header that holds a secret itself, which no run gets; empty for signatures. */
    public String secretHeader() {
        return switch (scheme) {
            case BASIC -> "authorization";
            case TOKEN -> header.isEmpty() ? "authorization" : header;
            case STANDARD, GITHUB, STRIPE, SLACK -> "";
        };
    }
}
