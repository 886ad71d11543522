package dev.millrace.scheduler.schema;

import static java.util.Objects.requireNonNull;

/** Something is no schema, or none that can be used here. */
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

    /** Where in the schema, as a JSON pointer; empty for the whole. */
    public String pointer() {
        return pointer;
    }

    /** What is wrong, in full sentences. */
    public String problem() {
        return problem;
    }

    /** What to do about it, in full sentences. */
    public String remedy() {
        return remedy;
    }
}
