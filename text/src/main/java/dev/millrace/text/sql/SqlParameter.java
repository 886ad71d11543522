package dev.millrace.text.sql;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A parameter of a script.
 *
 * @param name name of the input that it takes
 * @param type type that the script declares; empty if it declares none
 * @param defaultValue value for an input that is missing, as the script wrote it; empty if there is none
 */
public record SqlParameter(String name, String type, Optional<String> defaultValue) {
    public SqlParameter {
        requireNonNull(name, "name");
        requireNonNull(type, "type");
        requireNonNull(defaultValue, "defaultValue");
    }

    /** A parameter that the script does not declare. */
    public static SqlParameter undeclared(String name) {
        return new SqlParameter(name, "", Optional.empty());
    }
}
