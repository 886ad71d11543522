package dev.millrace.scheduler.audit.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A call that changed something, or was refused.
 *
 * @param id of version 7: it holds the time of the call
 * @param workspace absent for what concerns the installation, and for callers that were refused before their request
 *     was read
 * @param principal who called; {@code link:NAME} for whoever used the link that was signed for a person
 * @param credential the token that the caller has shown
 * @param address where the call came from; empty if nobody knows
 * @param action name of the RPC
 * @param subject what the call was about; empty if the request names nothing
 * @param detail JSON object
 * @param calls number of calls that the event stands for
 */
public record AuditEvent(
        UUID id,
        Optional<Workspace> workspace,
        String principal,
        Optional<UUID> credential,
        String address,
        String action,
        String subject,
        AuditOutcome outcome,
        String detail,
        long calls) {
    private static final int MILLIS_SHIFT = 16;

    public AuditEvent {
        requireNonNull(id, "id");
        requireNonNull(workspace, "workspace");
        requireNonNull(principal, "principal");
        requireNonNull(credential, "credential");
        requireNonNull(address, "address");
        requireNonNull(action, "action");
        requireNonNull(subject, "subject");
        requireNonNull(outcome, "outcome");
        requireNonNull(detail, "detail");
    }

    /** When the call began. */
    public Instant time() {
        return time(id);
    }

    /** When the call of the event with this id began. */
    public static Instant time(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> MILLIS_SHIFT);
    }

    /** The least id of an event at this time or later. */
    public static UUID leastId(Instant time) {
        return new UUID(Math.max(0, time.toEpochMilli()) << MILLIS_SHIFT, 0);
    }

    /** The same call, about something that the request did not name. */
    public AuditEvent about(String noted) {
        return new AuditEvent(id, workspace, principal, credential, address, action, noted, outcome, detail, calls);
    }

    /** The same call, in a workspace that the request did not name. */
    public AuditEvent in(Workspace known) {
        return new AuditEvent(
                id, Optional.of(known), principal, credential, address, action, subject, outcome, detail, calls);
    }

    /** The same call by somebody whom the service has recognized. */
    public AuditEvent by(String caller) {
        return new AuditEvent(id, workspace, caller, credential, address, action, subject, outcome, detail, calls);
    }

    /** The same call with another end. */
    public AuditEvent ended(AuditOutcome otherOutcome, String otherDetail) {
        return new AuditEvent(
                id, workspace, principal, credential, address, action, subject, otherOutcome, otherDetail, calls);
    }

    /** The event of so many such calls. */
    public AuditEvent of(UUID otherId, long count) {
        return new AuditEvent(
                otherId, workspace, principal, credential, address, action, subject, outcome, detail, count);
    }
}
