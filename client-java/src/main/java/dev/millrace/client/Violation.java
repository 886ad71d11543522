package dev.millrace.client;

/**
 * A broken rule of a request.
 *
 * @param field path of the field, for example {@code spec.input}
 * @param description what is wrong and what is expected
 */
public record Violation(String field, String description) {}
