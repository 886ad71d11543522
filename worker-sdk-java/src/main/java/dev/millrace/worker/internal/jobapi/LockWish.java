package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.UUID;

/**
 * A request of user code for a mutex.
 *
 * @param name name of the mutex within the workspace
 * @param ttl time after which the hold ends unless it is released
 * @param patience longest wait while others hold the mutex; zero does not wait, and more than {@link #PATIENCE_MAX}
 *     counts as that
 * @param hold id of this hold, so that a repeated request counts once
 */
public record LockWish(String name, Duration ttl, Duration patience, UUID hold) {
    /** No attempt lives this long. */
    static final Duration PATIENCE_MAX = Duration.ofDays(365);

    public LockWish {
        requireNonNull(name, "name");
        requireNonNull(ttl, "ttl");
        patience = patience.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : patience;
        requireNonNull(hold, "hold");
    }
}
