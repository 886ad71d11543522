package dev.millrace.scheduler.expression;

/** Result of resolving a template. */
public sealed interface Resolution {
    /** A value. */
    record Resolved(JsonValue value) implements Resolution {}

    /**
     * A failure.
     *
     * @param name type of the error, for example {@code MissingValue}
     * @param message full sentences for users
     */
    record Unresolved(String name, String message) implements Resolution {}
}
