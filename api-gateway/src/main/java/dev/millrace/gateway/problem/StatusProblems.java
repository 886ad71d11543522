package dev.millrace.gateway.problem;

import static java.util.Locale.ROOT;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.problem.Problem.FieldError;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of calls to the scheduler into problems: the one table from gRPC status to HTTP status.
 *
 * <p>The code is the reason of `google.rpc.ErrorInfo` if there is one, else the name of the gRPC status. `BadRequest`
 * becomes `errors`, `RetryInfo` becomes `Retry-After`.
 */
public final class StatusProblems {

    /** Retry delay for a scheduler that could not be reached. */
    static final Duration UNAVAILABLE_RETRY_AFTER = Duration.ofSeconds(1);

    /** nginx's status for a caller that disconnected. It reaches no caller, but logs and metrics show it. */
    static final HttpStatus CLIENT_CLOSED_REQUEST = HttpStatus.valueOf(499);

    /** Text of gRPC's failure at its message size limit, which has no structured details. */
    private static final String MESSAGE_TOO_LARGE = "gRPC message exceeds maximum size";
    /**
     * Text of gRPC's failure if the other side ends a call without a status, as a server does that stops before it
     * answers.
     */
    private static final String ENDED_BY_SCHEDULER = "RST_STREAM closed stream";

    /** Reason of the scheduler if it is there, and somebody else does not answer. */
    private static final String PROVIDER_UNAVAILABLE = "PROVIDER_UNAVAILABLE";

    private final String schedulerTarget;

    /** @param schedulerTarget address of the scheduler, for messages */
    public StatusProblems(String schedulerTarget) {
        this.schedulerTarget = schedulerTarget;
    }

    /** Returns the problem that explains this failed call. */
    public Problem problem(Throwable failure) {
        var status = withoutConnection(Status.fromThrowable(failure));
        var description = Optional.ofNullable(status.getDescription()).orElse("");
        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED && description.startsWith(MESSAGE_TOO_LARGE)) {
            return tooLarge(description);
        }
        var details = Optional.ofNullable(StatusProto.fromThrowable(failure))
                .map(com.google.rpc.Status::getDetailsList)
                .orElse(List.of());
        var violations = detail(details, BadRequest.class).orElse(BadRequest.getDefaultInstance());
        var reason = detail(details, ErrorInfo.class)
                .map(ErrorInfo::getReason)
                .filter(given -> !given.isEmpty())
                .orElse(status.getCode().name());
        return new Problem(
                httpStatus(status.getCode()),
                reason.toLowerCase(ROOT),
                reason.equals(PROVIDER_UNAVAILABLE)
                        ? description
                        : FieldNames.restOf(detailText(status, description), violations),
                fieldErrors(violations),
                detail(details, RetryInfo.class)
                        .map(StatusProblems::retryDelay)
                        .orElse(status.getCode() == Status.Code.UNAVAILABLE ? UNAVAILABLE_RETRY_AFTER : null));
    }

    /**
     * Corrects statuses UNKNOWN and CANCELLED that did not come from the scheduler itself. The connection closed while
     * the call was being sent, or the scheduler stopped before it answered.
     */
    private static Status withoutConnection(Status status) {
        if (status.getCode() == Status.Code.UNKNOWN && status.getCause() instanceof ClosedChannelException closed) {
            return Status.UNAVAILABLE
                    .withDescription("the connection was closed")
                    .withCause(closed);
        }
        boolean isCut = status.getCode() == Status.Code.CANCELLED
                && status.getDescription() != null
                && status.getDescription().startsWith(ENDED_BY_SCHEDULER);
        return isCut
                ? Status.UNAVAILABLE.withDescription(
                        "it stopped before it had answered; the request may have taken effect:"
                                + " repeat it with the same Idempotency-Key")
                : status;
    }

    private static HttpStatus httpStatus(Status.Code code) {
        return switch (code) {
            case OK -> throw new IllegalArgumentException("OK is not a failure.");
            case INVALID_ARGUMENT, OUT_OF_RANGE -> HttpStatus.BAD_REQUEST;
            case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
            case PERMISSION_DENIED -> HttpStatus.FORBIDDEN;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED -> HttpStatus.CONFLICT;
            case RESOURCE_EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
            case CANCELLED -> CLIENT_CLOSED_REQUEST;
            case UNIMPLEMENTED -> HttpStatus.NOT_IMPLEMENTED;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            case DEADLINE_EXCEEDED -> HttpStatus.GATEWAY_TIMEOUT;
            case UNKNOWN, INTERNAL, DATA_LOSS -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    /** Returns the scheduler's own words if they are meant for callers, else what the gateway knows. */
    private String detailText(Status status, String description) {
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                "The gateway cannot reach the scheduler at " + schedulerTarget + " (" + cause(status, description)
                        + "). Start one with `millrace server`, or set millrace.scheduler.target to where it listens.";
            case DEADLINE_EXCEEDED ->
                "The scheduler at " + schedulerTarget + " did not answer in time. The request may still have taken"
                        + " effect: repeat it with the same Idempotency-Key.";
            case UNKNOWN, INTERNAL, DATA_LOSS ->
                "The scheduler failed to handle the request. Its log says why: search it for the trace id.";
            case UNIMPLEMENTED ->
                "The scheduler at " + schedulerTarget + " does not know this call: its version differs from the"
                        + " gateway's. Update the older of the two.";
            default -> description.isEmpty() ? "The scheduler refused the request and did not say why." : description;
        };
    }

    private static String cause(Status status, String description) {
        var cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        var message = cause == null ? null : cause.getMessage();
        return message == null ? description : message;
    }

    private static Problem tooLarge(String description) {
        return Problem.of(
                HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                "message_too_large",
                "The request or its answer is larger than one message between gateway and scheduler may be: "
                        + description + ". Ask for smaller pages, or send less at once.");
    }

    private static List<FieldError> fieldErrors(BadRequest badRequest) {
        return badRequest.getFieldViolationsList().stream()
                .map(violation -> new FieldError(FieldNames.rest(violation.getField()), violation.getDescription()))
                .toList();
    }

    private static @Nullable Duration retryDelay(RetryInfo info) {
        var delay = info.getRetryDelay();
        return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    }

    private static <T extends Message> Optional<T> detail(List<Any> details, Class<T> type) {
        return details.stream().filter(any -> any.is(type)).findFirst().map(any -> {
            try {
                return any.unpack(type);
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("The scheduler sent a broken " + type.getSimpleName() + ".", e);
            }
        });
    }
}
