package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.rpc.ErrorStatus;
import io.grpc.Status;

/** What a failed call means to the audit. */
final class CallEnd {
    private CallEnd() {}

    static AuditOutcome outcome(Throwable failure) {
        if (failure instanceof MillraceException ours && ours.isHiding()) {
            return AuditOutcome.DENIED;
        }
        return switch (ErrorStatus.of(failure).getStatus().getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> AuditOutcome.DENIED;
            case CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                AuditOutcome.UNKNOWN;
            case OK,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED -> AuditOutcome.FAILED;
        };
    }

    /** Adds why the call has failed. Only refusals are told in full, because other messages may quote the request. */
    static AuditDetail detail(AuditDetail request, Throwable failure) {
        Status status = ErrorStatus.of(failure).getStatus();
        AuditDetail detail = request.with(
                "error",
                failure instanceof MillraceException ours
                        ? ours.code().name()
                        : status.getCode().name());
        return outcome(failure) == AuditOutcome.DENIED
                ? detail.with("reason", String.valueOf(status.getDescription()))
                : detail;
    }
}
