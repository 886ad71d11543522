package dev.millrace.scheduler.access;

import java.util.Optional;
import java.util.UUID;

/**
 * Who calls.
 *
 * @param name what is recorded as the actor, for example {@code ada} or {@code service-account:ci}
 * @param principal id of the user or service account; absent for workers, gateways and local callers
 * @param credential id of the token that the caller has shown; absent for local callers and for workers in the process
 *     of the scheduler
 * @param mayActAs whether the caller may name others as actors
 */
public record Caller(
        CallerKind kind, String name, Optional<UUID> principal, Optional<UUID> credential, boolean mayActAs) {
    /** Whoever uses the machine of a server that listens on loopback only. */
    public static final Caller LOCAL = new Caller(CallerKind.LOCAL, "local", Optional.empty(), Optional.empty(), true);

    /** A worker in the process of the scheduler. */
    public static final Caller OWN_WORKER =
            new Caller(CallerKind.WORKER, "worker:own", Optional.empty(), Optional.empty(), false);
}
