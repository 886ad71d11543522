package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The server over which mails are sent.
 *
 * @param from address of the sender
 * @param user absent if the server asks for no login
 * @param password password of the user; empty without one
 */
public record SmtpConfig(
        String host, int port, Security security, String from, Optional<String> user, String password) {
    static final int PORT_DEFAULT = 587;
    private static final int PORT_MAX = 65_535;

    /** How the connection is encrypted. */
    public enum Security {
        /** From the first byte on. */
        TLS,
        /** Before anything is said, or no mail is sent. */
        STARTTLS,
        /** Not at all. */
        NONE
    }

    public SmtpConfig {
        requireNonNull(host, "host");
        requireNonNull(security, "security");
        requireNonNull(user, "user");
        requireNonNull(password, "password");
        Expect.that(port > 0 && port <= PORT_MAX, KnownKeys.SMTP_PORT, port, "1 to " + PORT_MAX);
        Expect.that(
                from.indexOf('@') > 0,
                KnownKeys.SMTP_FROM,
                from,
                "the address of the sender, for example millrace@example.com");
        Expect.that(
                user.isEmpty() || security != Security.NONE,
                KnownKeys.SMTP_SECURITY,
                "none",
                "tls or starttls, because a password passes through the connection");
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "SmtpConfig[" + host + ":" + port + ", " + security + ", from " + from + "]";
    }
}
