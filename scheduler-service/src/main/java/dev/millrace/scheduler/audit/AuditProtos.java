package dev.millrace.scheduler.audit;

import com.google.protobuf.Timestamp;
import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Reads filters of events, and writes events as messages. */
final class AuditProtos {
    private AuditProtos() {}

    static dev.millrace.proto.audit.v1.AuditEvent message(AuditEvent event) {
        return dev.millrace.proto.audit.v1.AuditEvent.newBuilder()
                .setId(event.id().toString())
                .setTime(TimeProtos.timestamp(event.time()))
                .setWorkspace(event.workspace().map(Workspace::name).orElse(""))
                .setPrincipal(event.principal())
                .setCredentialId(event.credential().map(UUID::toString).orElse(""))
                .setAddress(event.address())
                .setAction(event.action())
                .setSubject(event.subject())
                .setOutcome(
                        switch (event.outcome()) {
                            case ALLOWED -> dev.millrace.proto.audit.v1.AuditEvent.Outcome.OUTCOME_ALLOWED;
                            case DENIED -> dev.millrace.proto.audit.v1.AuditEvent.Outcome.OUTCOME_DENIED;
                            case FAILED -> dev.millrace.proto.audit.v1.AuditEvent.Outcome.OUTCOME_FAILED;
                            case UNKNOWN -> dev.millrace.proto.audit.v1.AuditEvent.Outcome.OUTCOME_UNKNOWN;
                        })
                .setDetail(event.detail())
                .setCount(event.calls())
                .build();
    }

    /** @param isAll whether the events of all workspaces and of the installation are wanted */
    static AuditFilter filter(String workspaceName, boolean isAll, dev.millrace.proto.audit.v1.AuditFilter given) {
        Violations violations = new Violations();
        violations.require(
                !isAll || workspaceName.isEmpty(),
                "workspace",
                "is set, but so is all (expected: one workspace, or all events)");
        Workspace workspace = RequestFields.workspace(workspaceName, violations);
        Optional<Instant> since = time("filter.since", given.hasSince(), given.getSince(), violations);
        Optional<Instant> until = time("filter.until", given.hasUntil(), given.getUntil(), violations);
        AuditFilter filter = new AuditFilter(
                isAll ? Optional.empty() : Optional.of(workspace),
                text("filter.principal", given.getPrincipal(), violations),
                text("filter.action", given.getAction(), violations),
                text("filter.subject", given.getSubject(), violations),
                outcome(given.getOutcome(), violations),
                since,
                until);
        violations.throwIfAny();
        return filter;
    }

    /** The id after which an export goes on. */
    static UUID after(String id) {
        if (id.isEmpty()) {
            return AuditFilter.FIRST;
        }
        Violations violations = new Violations();
        Optional<UUID> after = violations.collect("after_id", () -> UUID.fromString(id));
        violations.throwIfAny();
        return after.orElseThrow();
    }

    private static Optional<Instant> time(String field, boolean isGiven, Timestamp given, Violations violations) {
        return isGiven ? violations.collect(field, () -> TimeProtos.instant(given)) : Optional.empty();
    }

    private static Optional<String> text(String field, String given, Violations violations) {
        violations.require(given.indexOf('\0') < 0, field, "contains a NUL character: remove it");
        return Optional.of(given).filter(text -> !text.isEmpty());
    }

    private static Optional<AuditOutcome> outcome(
            dev.millrace.proto.audit.v1.AuditEvent.Outcome given, Violations violations) {
        return switch (given) {
            case OUTCOME_UNSPECIFIED -> Optional.empty();
            case OUTCOME_ALLOWED -> Optional.of(AuditOutcome.ALLOWED);
            case OUTCOME_DENIED -> Optional.of(AuditOutcome.DENIED);
            case OUTCOME_FAILED -> Optional.of(AuditOutcome.FAILED);
            case OUTCOME_UNKNOWN -> Optional.of(AuditOutcome.UNKNOWN);
            case UNRECOGNIZED -> {
                violations.add("filter.outcome", "is none of the known outcomes");
                yield Optional.empty();
            }
        };
    }
}
