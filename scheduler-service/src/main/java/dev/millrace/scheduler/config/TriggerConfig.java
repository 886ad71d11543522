package dev.millrace.scheduler.config;

/**
 * Settings of triggers.
 *
 * @param allowsPrivate whether triggers may connect to addresses that are not public
 */
public record TriggerConfig(boolean allowsPrivate) {
    /** Public addresses only. */
    public static final TriggerConfig DEFAULT = new TriggerConfig(false);
}
