package dev.millrace.scheduler.schema;

import static java.util.Objects.requireNonNull;

/** Something is no schema, or none that can be used here. The message is one or more full sentences. */
public final class SchemaInvalid extends Exception {
    private final String pointer;

    SchemaInvalid(String pointer, String message) {
        super(message);
        this.pointer = requireNonNull(pointer, "pointer");
    }

    /** Where in the schema, as a JSON pointer; empty for the whole. */
    public String pointer() {
        return pointer;
    }

    /** What is wrong. */
    public String problem() {
        return String.valueOf(getMessage());
    }
}
