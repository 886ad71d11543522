package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How a worker gets access to its scheduler.
 *
 * @param tls TLS of the connection; empty means plain text
 * @param token what the worker shows
 * @param isPlaintextAllowed whether the token may leave the machine in plain text, because something else encrypts the
 *     connection
 */
public record SchedulerAccess(Optional<Tls> tls, WorkerToken token, boolean isPlaintextAllowed) {
    /** Plain text without a token, for a scheduler on the same machine. */
    public static final SchedulerAccess LOCAL = new SchedulerAccess(Optional.empty(), WorkerToken.NONE, false);

    public SchedulerAccess {
        requireNonNull(tls, "tls");
        requireNonNull(token, "token");
    }
}
