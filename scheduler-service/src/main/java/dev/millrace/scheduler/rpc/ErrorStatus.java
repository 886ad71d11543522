package dev.millrace.scheduler.rpc;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.millrace.scheduler.database.DatabaseErrors;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Maps error codes to gRPC: status, {@code ErrorInfo}, field violations and retry delay. No other class does. */
public final class ErrorStatus {
    /** Domain of the reasons in {@code ErrorInfo}. */
    public static final String DOMAIN = "millrace.dev";

    /**
     * Most bytes of the message in the trailers, where each byte beyond ASCII takes three. Clients accept at most 8 KiB
     * of trailers.
     */
    private static final int MESSAGE_BYTES_MAX = 1_500;
    /** Maximum number of bytes of all details, before base64. */
    private static final int DETAILS_BYTES_MAX = 4_000;
    /** Maximum number of characters of the name of a violated field. */
    private static final int FIELD_LENGTH_MAX = 200;

    private static final int DESCRIPTION_LENGTH_MAX = 500;
    /** Maximum number of bytes that precede each violation on the wire. */
    private static final int VIOLATION_OVERHEAD_BYTES = 3;

    private ErrorStatus() {}

    /** The failure as callers see it. Failures that are not ours show no internals. */
    public static StatusRuntimeException of(Throwable failure) {
        return switch (failure) {
            case StatusRuntimeException status -> status;
            case StatusException status -> status.getStatus().asRuntimeException(status.getTrailers());
            case CompletionException wrapper when wrapper.getCause() != null -> of(wrapper.getCause());
            case ExecutionException wrapper when wrapper.getCause() != null -> of(wrapper.getCause());
            case MillraceException ours -> of(ours);
            default -> of(DatabaseErrors.translate(failure));
        };
    }

    /** Whether the failure is a defect, for which a human should read the log. */
    static boolean isDefect(StatusRuntimeException status) {
        return status.getStatus().getCode() == Status.Code.INTERNAL;
    }

    private static StatusRuntimeException of(MillraceException failure) {
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(code(failure.code()).value())
                .setMessage(
                        failure.code() == ErrorCode.INTERNAL
                                ? "The scheduler failed to carry this out; its log says why."
                                : Trailers.shortened(String.valueOf(failure.getMessage()), MESSAGE_BYTES_MAX))
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(failure.code().name())
                        .build()));
        failure.retryAfter()
                .map(TimeProtos::duration)
                .ifPresent(delay -> status.addDetails(
                        Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build())));
        if (!failure.violations().isEmpty()) {
            int room = DETAILS_BYTES_MAX - status.build().getSerializedSize();
            status.addDetails(Any.pack(badRequest(failure.violations(), room)));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    private static Status.Code code(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST, INVALID_FLOW -> Status.Code.INVALID_ARGUMENT;
            case WORKSPACE_NOT_FOUND,
                    RUN_NOT_FOUND,
                    STEP_NOT_FOUND,
                    SCRIPT_NOT_FOUND,
                    FLOW_NOT_FOUND,
                    BULK_OPERATION_NOT_FOUND,
                    BLOB_NOT_FOUND,
                    PRINCIPAL_NOT_FOUND,
                    TOKEN_NOT_FOUND,
                    DEVICE_NOT_FOUND,
                    TRUST_NOT_FOUND,
                    ROLE_NOT_FOUND,
                    SECRET_NOT_FOUND,
                    ALERT_NOT_FOUND,
                    RESOURCE_NOT_FOUND,
                    RESOURCE_TYPE_NOT_FOUND,
                    TRIGGER_NOT_FOUND,
                    WORKER_NOT_FOUND -> Status.Code.NOT_FOUND;
            case UNAUTHENTICATED, LOGIN_FAILED -> Status.Code.UNAUTHENTICATED;
            case REQUEST_ID_REUSED, NAME_TAKEN -> Status.Code.ALREADY_EXISTS;
            case WORKSPACE_ARCHIVED,
                    WORKSPACE_STATE_UNSUITABLE,
                    RUN_ENDED,
                    RUN_STATE_UNSUITABLE,
                    NOT_WAITING,
                    WORKER_NOT_KILLABLE,
                    LEASE_LOST,
                    BULK_OPERATION_ENDED,
                    IN_USE,
                    SECRET_UNAVAILABLE,
                    KEY_MISSING,
                    LAST_OWNER,
                    PROVIDER_NOT_SET,
                    ISSUER_NOT_TRUSTED,
                    SEVERAL_ACCOUNTS,
                    NO_PRINCIPAL -> Status.Code.FAILED_PRECONDITION;
            case NOT_ASSIGNED, WAIT_LINK_INVALID, PERMISSION_DENIED -> Status.Code.PERMISSION_DENIED;
            case TOO_MANY_WORKSPACES, TOO_MANY_SIGNALS, TOO_MANY, TOO_MANY_TRUSTS, OVERLOADED, QUOTA_EXCEEDED ->
                Status.Code.RESOURCE_EXHAUSTED;
            case BLOB_TOO_SHORT -> Status.Code.OUT_OF_RANGE;
            case SHUTTING_DOWN,
                    DATABASE_UNAVAILABLE,
                    SECRET_STORE_UNAVAILABLE,
                    BLOB_STORE_UNAVAILABLE,
                    PROVIDER_UNAVAILABLE -> Status.Code.UNAVAILABLE;
            case SCHEMA_MISMATCH, INVALID_CONFIG, INTERNAL -> Status.Code.INTERNAL;
        };
    }

    /** As many violations as fit. If some do not fit, the last entry counts them. */
    private static BadRequest badRequest(List<FieldViolation> violations, int bytesMax) {
        BadRequest.Builder request = BadRequest.newBuilder();
        int bytes = 0;
        for (int i = 0; i < violations.size(); i++) {
            BadRequest.FieldViolation next =
                    violation(violations.get(i).field(), violations.get(i).description());
            int left = violations.size() - i;
            int reserved = left == 1 ? 0 : more(left - 1).getSerializedSize();
            if (bytes + next.getSerializedSize() + reserved > bytesMax) {
                return request.addFieldViolations(more(left)).build();
            }
            bytes += next.getSerializedSize() + VIOLATION_OVERHEAD_BYTES;
            request.addFieldViolations(next);
        }
        return request.build();
    }

    private static BadRequest.FieldViolation more(int count) {
        return BadRequest.FieldViolation.newBuilder()
                .setDescription("and " + count + " more")
                .build();
    }

    private static BadRequest.FieldViolation violation(String field, String description) {
        return BadRequest.FieldViolation.newBuilder()
                .setField(Trailers.cut(field, FIELD_LENGTH_MAX))
                .setDescription(Trailers.cut(description, DESCRIPTION_LENGTH_MAX))
                .build();
    }
}
