package dev.millrace.scheduler.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.input.InputSchema;
import java.util.Optional;

/**
 * What a deployment would change.
 *
 * @param version that would be stored, whose time is now
 * @param current version to which the path leads; absent for none
 * @param schema of the inputs, as far as the author or the text says
 */
record ScriptPlan(Script version, Optional<Script> current, Optional<InputSchema> schema) {
    ScriptPlan {
        requireNonNull(version, "version");
        requireNonNull(current, "current");
        requireNonNull(schema, "schema");
    }
}
