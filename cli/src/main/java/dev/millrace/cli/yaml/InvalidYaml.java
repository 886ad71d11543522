package dev.millrace.cli.yaml;

import static java.util.Objects.requireNonNull;

/** A text is not valid YAML. The message is a clause with the place, for example {@code "line 3: …"}. */
public final class InvalidYaml extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidYaml(int line, String clause) {
        super("line " + line + ": " + clause);
    }

    /** Like {@link #getMessage()}, but never null. */
    public String clause() {
        return requireNonNull(getMessage(), "message");
    }
}
