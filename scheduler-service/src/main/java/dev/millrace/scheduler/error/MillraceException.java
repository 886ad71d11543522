package dev.millrace.scheduler.error;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The only exception type of this module: a code for programs, and full sentences for people. */
public final class MillraceException extends RuntimeException {
    private static final int VIOLATIONS_IN_MESSAGE_MAX = 3;

    private final ErrorCode code;
    private final transient List<FieldViolation> violations;
    private final @Nullable Duration retryAfter;
    private final boolean isHiding;

    public MillraceException(ErrorCode code, String message) {
        this(code, message, List.of(), null, null, false);
    }

    public MillraceException(ErrorCode code, String message, Throwable cause) {
        this(code, message, List.of(), null, cause, false);
    }

    private MillraceException(
            ErrorCode code,
            String message,
            List<FieldViolation> violations,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause,
            boolean isHiding) {
        super(requireNonNull(message, "message"), cause);
        this.code = requireNonNull(code, "code");
        this.violations = List.copyOf(violations);
        this.retryAfter = retryAfter;
        this.isHiding = isHiding;
    }

    /**
     * Something that exists, which the caller may not know. To the caller, it looks like something that does not exist.
     *
     * @param code what callers get for something that does not exist
     */
    public static MillraceException hiding(ErrorCode code, String message) {
        return new MillraceException(code, message, List.of(), null, null, true);
    }

    public static MillraceException invalid(String field, String description) {
        return invalid(List.of(new FieldViolation(field, description)));
    }

    public static MillraceException invalid(List<FieldViolation> violations) {
        return violated(ErrorCode.INVALID_REQUEST, "The request is invalid: ", violations);
    }

    /** A flow definition with problems; {@code file} is the name of the definition. */
    public static MillraceException invalidFlow(String file, List<FieldViolation> problems) {
        return violated(ErrorCode.INVALID_FLOW, "The flow definition " + file + " is invalid: ", problems);
    }

    /** The scheduler is behind; the same request may succeed after {@code retryAfter}. */
    public static MillraceException overloaded(String message, Duration retryAfter) {
        return new MillraceException(ErrorCode.OVERLOADED, message, List.of(), retryAfter, null, false);
    }

    /** The call goes beyond a quota; the same request may succeed after {@code retryAfter}. */
    public static MillraceException quotaExceeded(String message, Duration retryAfter) {
        return new MillraceException(ErrorCode.QUOTA_EXCEEDED, message, List.of(), retryAfter, null, false);
    }

    /** The call goes beyond a quota, and time alone makes no room. */
    public static MillraceException quotaExceeded(String message) {
        return new MillraceException(ErrorCode.QUOTA_EXCEEDED, message);
    }

    public ErrorCode code() {
        return code;
    }

    /** Whether the caller may not know of what it asked for. Callers must not see the difference. */
    public boolean isHiding() {
        return isHiding;
    }

    public List<FieldViolation> violations() {
        return violations;
    }

    /** How long to wait before the same request may succeed. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    private static MillraceException violated(ErrorCode code, String start, List<FieldViolation> violations) {
        String first = violations.stream()
                .limit(VIOLATIONS_IN_MESSAGE_MAX)
                .map(violation -> violation.field() + ": " + violation.description())
                .collect(Collectors.joining("; "));
        int hidden = violations.size() - VIOLATIONS_IN_MESSAGE_MAX;
        String more = hidden > 0 ? " (and " + hidden + " more)" : "";
        return new MillraceException(code, start + first + more, violations, null, null, false);
    }
}
