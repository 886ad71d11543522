package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Settings of alerts.
 *
 * @param allowsPrivate whether messages may go to addresses that are not public
 * @param smtp absent if no mails are sent
 */
public record AlertConfig(boolean allowsPrivate, Optional<SmtpConfig> smtp) {
    /** Public addresses only, and no mails. */
    public static final AlertConfig DEFAULT = new AlertConfig(false, Optional.empty());

    public AlertConfig {
        requireNonNull(smtp, "smtp");
    }
}
