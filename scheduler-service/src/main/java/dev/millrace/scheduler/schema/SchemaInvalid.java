package dev.millrace.scheduler.schema;

import static java.util.Objects.requireNonNull;

/** Thrown if a document is no schema, or uses something that is not supported here. */
public final class SchemaInvalid extends Exception {
    private final String pointer;
    private final String problem;
    private final String remedy;

    SchemaInvalid(String pointer, String problem, String remedy) {
        super(problem + " " + remedy);
        this.pointer = requireNonNull(pointer, "pointer");
        this.problem = requireNonNull(problem, "problem");
        this.remedy = requireNonNull(remedy, "remedy");
    }

    /** Place in the schema, as a JSON pointer; empty for the whole schema. */
    public String pointer() {
        return pointer;
    }

    /** What is wrong, in full sentences. */
    public String problem() {
        return problem;
    }

    /** What the author of the schema should do, in full sentences. */
    public String remedy() {
        return remedy;
    }
}
