package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.AddressRule;
import java.net.URI;
import java.util.Optional;

/**
 * Settings of alerts.
 *
 * @param allowsPrivate whether messages may go to addresses that are not public
 * @param smtp absent if no mails are sent
 * @param consoleUrl where people find the console, for links in messages; absent for none
 */
public record AlertConfig(boolean allowsPrivate, Optional<SmtpConfig> smtp, Optional<URI> consoleUrl) {
    /** Public addresses only, no mails and no links. */
    public static final AlertConfig DEFAULT = new AlertConfig(false, Optional.empty());

    public AlertConfig {
        requireNonNull(smtp, "smtp");
        requireNonNull(consoleUrl, "consoleUrl");
    }

    /** Messages without links. */
    public AlertConfig(boolean allowsPrivate, Optional<SmtpConfig> smtp) {
        this(allowsPrivate, smtp, Optional.empty());
    }

    /** Where messages may go. */
    public AddressRule addressRule() {
        return new AddressRule(allowsPrivate, KnownKeys.ALERT_ALLOW_PRIVATE);
    }

    /** The same settings with an address of the console, unless they have one. */
    public AlertConfig withConsoleUrlDefault(URI url) {
        return consoleUrl.isPresent() ? this : new AlertConfig(allowsPrivate, smtp, Optional.of(url));
    }
}
