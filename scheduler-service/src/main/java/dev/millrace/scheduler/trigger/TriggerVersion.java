package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A change of a trigger.
 *
 * @param change {@code create}, {@code update}, {@code pause} or {@code resume}
 */
public record TriggerVersion(long version, String change, String actor, Instant changedAt) {
    public TriggerVersion {
        requireNonNull(change, "change");
        requireNonNull(actor, "actor");
        requireNonNull(changedAt, "changedAt");
    }
}
