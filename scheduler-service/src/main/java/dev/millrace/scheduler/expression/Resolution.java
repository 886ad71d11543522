package dev.millrace.scheduler.expression;

/** What became of a template. */
public sealed interface Resolution {
    /** Its value. */
    record Resolved(JsonValue value) implements Resolution {}

    /**
     * Why it has none.
     *
     * @param name type of the error, for example {@code MissingValue}
     * @param message full sentences for a person
     */
    record Unresolved(String name, String message) implements Resolution {}
}
