package dev.millrace.worker.internal.step;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.UUID;

/**
 * A mutex that user code wants to hold.
 *
 * @param name of the mutex within the workspace
 * @param ttl how long it is held unless it is given back
 * @param patience how long to wait while others hold it; zero for not at all, more than {@link #PATIENCE_MAX} for that
 * @param hold names this hold, so that asking twice counts once
 */
public record LockWish(String name, Duration ttl, Duration patience, UUID hold) {
    /** No attempt lives that long. */
    static final Duration PATIENCE_MAX = Duration.ofDays(365);

    public LockWish {
        requireNonNull(name, "name");
        requireNonNull(ttl, "ttl");
        patience = patience.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : patience;
        requireNonNull(hold, "hold");
    }
}
