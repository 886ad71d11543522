package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a call failed, and the error for it.
 *
 * @param call name of the call
 * @param target address of the scheduler
 * @param code status of gRPC
 * @param detail what the scheduler said; a full sentence
 * @param reason stable word; empty if the scheduler gave none
 * @param violations broken rules of the request
 * @param retryAfter delay that the scheduler asks for
 * @param cause error of gRPC
 */
record CallFailure(
        String call,
        String target,
        Status.Code code,
        String detail,
        String reason,
        List<Violation> violations,
        Optional<Duration> retryAfter,
        @Nullable Throwable cause) {
    CallFailure {
        requireNonNull(call, "call");
        requireNonNull(code, "code");
        violations = List.copyOf(violations);
    }

    /** A failure that this client has found itself. */
    static CallFailure of(String call, String target, Status.Code code, String detail) {
        return new CallFailure(call, target, code, detail, "", List.of(), Optional.empty(), null);
    }

    /** Reads what the scheduler says in its trailers. */
    static CallFailure of(String call, String target, Throwable failure) {
        Status status = Status.fromThrowable(failure);
        Details details = Details.of(StatusProto.fromThrowable(failure));
        String said = status.getDescription();
        return new CallFailure(
                call,
                target,
                status.getCode(),
                sentence(said == null || said.isBlank() ? "There is no explanation." : said.strip()),
                details.reason,
                details.violations,
                details.retryAfter,
                failure);
    }

    /** The error of this failure. */
    ClientException error() {
        if (reason.equals("INVALID_FLOW")) {
            return new InvalidFlowException(this);
        }
        return switch (code) {
            case INVALID_ARGUMENT, OUT_OF_RANGE -> new InvalidRequestException(this);
            case NOT_FOUND -> new NotFoundException(this);
            case UNAUTHENTICATED -> new UnauthenticatedException(this);
            case PERMISSION_DENIED -> new PermissionDeniedException(this);
            case ALREADY_EXISTS -> new RequestIdReusedException(this);
            case FAILED_PRECONDITION, ABORTED -> new StateUnsuitableException(this);
            case RESOURCE_EXHAUSTED -> new OverloadedException(this);
            case UNAVAILABLE -> new UnavailableException(this);
            case DEADLINE_EXCEEDED -> new TimedOutException(this);
            case OK, CANCELLED, UNKNOWN, UNIMPLEMENTED, INTERNAL, DATA_LOSS -> new ServerFailedException(this);
        };
    }

    String text(String remedy) {
        return call + " at " + target + ": " + detail + " " + remedy
                + violations.stream()
                        .skip(1)
                        .map(it -> "\n  " + it.field() + ": " + it.description())
                        .collect(Collectors.joining());
    }

    private static String sentence(String text) {
        return text.endsWith(".") || text.endsWith("!") || text.endsWith("?") ? text : text + ".";
    }

    /** What the details of a status say. */
    private static final class Details {
        private String reason = "";
        private List<Violation> violations = List.of();
        private Optional<Duration> retryAfter = Optional.empty();

        static Details of(com.google.rpc.@Nullable Status status) {
            Details details = new Details();
            if (status != null) {
                for (Any packed : status.getDetailsList()) {
                    try {
                        details.read(packed);
                    } catch (InvalidProtocolBufferException cut) {
                        // Something between us and the scheduler has cut it; the status alone has to do.
                        return details;
                    }
                }
            }
            return details;
        }

        private void read(Any packed) throws InvalidProtocolBufferException {
            if (packed.is(ErrorInfo.class)) {
                reason = packed.unpack(ErrorInfo.class).getReason();
            } else if (packed.is(RetryInfo.class)) {
                retryAfter = Optional.of(
                        Times.duration(packed.unpack(RetryInfo.class).getRetryDelay()));
            } else if (packed.is(BadRequest.class)) {
                violations = packed.unpack(BadRequest.class).getFieldViolationsList().stream()
                        .map(it -> new Violation(it.getField(), it.getDescription()))
                        .toList();
            }
        }
    }
}
