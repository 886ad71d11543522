package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Which events are wanted. What is absent does not restrict.
 *
 * @param workspace absent for those of all workspaces and of the installation
 */
record AuditFilter(
        Optional<Workspace> workspace,
        Optional<String> principal,
        Optional<String> action,
        Optional<String> subject,
        Optional<AuditOutcome> outcome,
        Optional<Instant> since,
        Optional<Instant> until) {
    /** Less than the id of any event. */
    static final UUID FIRST = new UUID(0, 0);
    /** Greater than the id of any event, by the order of Postgres. */
    static final UUID LAST = new UUID(-1, -1);

    /** The same events without those of calls that began before this time. */
    AuditFilter notBefore(Instant time) {
        Optional<Instant> later = since.filter(given -> given.isAfter(time)).or(() -> Optional.of(time));
        return new AuditFilter(workspace, principal, action, subject, outcome, later, until);
    }
}
