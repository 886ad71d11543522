package dev.millrace.scheduler.config;

import dev.millrace.tls.AddressRule;

/**
 * Settings of triggers.
 *
 * @param allowsPrivate whether triggers may connect to addresses that are not public
 */
public record TriggerConfig(boolean allowsPrivate) {
    /** Public addresses only. */
    public static final TriggerConfig DEFAULT = new TriggerConfig(false);

    /** Where triggers may connect. */
    public AddressRule addressRule() {
        return new AddressRule(allowsPrivate, KnownKeys.TRIGGER_ALLOW_PRIVATE);
    }
}
