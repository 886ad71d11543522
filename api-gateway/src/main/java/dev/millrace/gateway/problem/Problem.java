package dev.millrace.gateway.problem;

import com.linecorp.armeria.common.HttpStatus;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong with one request: the content of an RFC 9457 document.
 *
 * @param code machine-readable name in lower snake case; part of the API, never changed once published
 * @param detail full sentences for a person: what, where and what to do
 * @param errors one entry for each wrong field, in the names of the REST API
 * @param retryAfter when trying again makes sense; null where the server has no opinion
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

    /** One wrong field. */
    public record FieldError(String field, String message) {}

    public static Problem of(HttpStatus status, String code, String detail) {
        return new Problem(status, code, detail, List.of(), null);
    }

    /** A request with one field that cannot be used. */
    public static Problem invalidField(String field, String message) {
        return new Problem(
                HttpStatus.BAD_REQUEST,
                "invalid_argument",
                "The request cannot be used: " + field + " " + message,
                List.of(new FieldError(field, message)),
                null);
    }
}
