package dev.millrace.scheduler.error;

import static java.util.Objects.requireNonNull;

/**
 * One broken rule of a request.
 *
 * @param field path of the field, for example {@code specs[3].retry.delay}
 * @param description what is wrong and what is expected
 */
public record FieldViolation(String field, String description) {
    public FieldViolation {
        requireNonNull(field, "field");
        requireNonNull(description, "description");
    }
}
