package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.HttpStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failure of one request: the content of an RFC 9457 document.
 *
 * @param code machine-readable name in lower snake case; part of the API, never changed once published
 * @param detail full sentences for a person: what happened, where, and what to do
 * @param errors one entry for each invalid field, in the names of the REST API
 * @param retryAfter time after which a retry makes sense; null if unknown
 */
public record Problem(
        HttpStatus status,
        String code,
        String detail,
        List<FieldError> errors,
        @Nullable Duration retryAfter) {

    public Problem {
        errors = List.copyOf(errors);
    }

    /** One invalid field. */
    public record FieldError(String field, String message) {}

    public static Problem of(HttpStatus status, String code, String detail) {
        return new Problem(status, code, detail, List.of(), null);
    }

    /** Rejects one invalid field of a request. */
    public static Problem invalidField(String field, String message) {
        return new Problem(
                HttpStatus.BAD_REQUEST,
                "invalid_argument",
                "The request is invalid: " + field + " " + message,
                List.of(new FieldError(field, message)),
                null);
    }
}
