package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.identity.core.TokenKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What is stored of a token.
 *
 * @param principal the user or service account; absent for workers and gateways
 * @param issuedBy id of the token by which it was issued; absent if none was shown
 * @param idleMax longest time between two uses; absent for any
 */
public record Token(
        UUID id,
        TokenKind kind,
        String name,
        Optional<Principal> principal,
        Restrictions restrictions,
        String createdBy,
        Optional<UUID> issuedBy,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<Duration> idleMax,
        Optional<Instant> lastUsedAt,
        Optional<Instant> revokedAt) {
    /** What a token is restricted to. What is empty, or 0, does not restrict. */
    public record Restrictions(
            List<String> workspaces,
            List<String> folders,
            List<String> tags,
            Optional<Role> roleMax,
            long submitsPerSecondMax) {
        static final Restrictions NONE = new Restrictions(List.of(), List.of(), List.of(), Optional.empty(), 0);

        public Restrictions {
            workspaces = List.copyOf(workspaces);
            folders = List.copyOf(folders);
            tags = List.copyOf(tags);
        }
    }

    /** Whether the token works at this time. */
    boolean isValidAt(Instant time) {
        Instant lastSign = lastUsedAt.orElse(createdAt);
        return revokedAt.isEmpty()
                && expiresAt.filter(end -> !end.isAfter(time)).isEmpty()
                && idleMax.filter(max -> !lastSign.plus(max).isAfter(time)).isEmpty()
                && principal.flatMap(Principal::disabledAt).isEmpty();
    }
}
