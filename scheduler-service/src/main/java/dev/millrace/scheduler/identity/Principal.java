package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A user or a service account.
 *
 * @param workspace of a service account; absent for a user
 */
public record Principal(
        UUID id,
        Subject.Kind kind,
        Optional<Workspace> workspace,
        String name,
        List<String> groups,
        boolean mayActAs,
        Instant createdAt,
        Optional<Instant> disabledAt) {
    public Subject subject() {
        return new Subject(kind, name);
    }

    /** What is recorded as the actor of what the principal does. No user has the name of a service account. */
    public String actorName() {
        return kind == Subject.Kind.USER ? name : subject().toString();
    }
}
