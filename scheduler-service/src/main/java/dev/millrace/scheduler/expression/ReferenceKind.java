package dev.millrace.scheduler.expression;

import java.util.Arrays;
import java.util.Optional;

/** What the input of a step may refer to without ever holding it. */
public enum ReferenceKind {
    SECRET("secrets"),
    RESOURCE("resources");

    private static final ReferenceKind[] ALL = values();

    /** First name of an expression that refers to one. */
    private final String root;

    ReferenceKind(String root) {
        this.root = root;
    }

    public String root() {
        return root;
    }

    /** The kind whose references begin with this name. */
    static Optional<ReferenceKind> of(String root) {
        return Arrays.stream(ALL).filter(kind -> kind.root.equals(root)).findFirst();
    }
}
