package dev.millrace.scheduler.flow.dialect;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;

/**
 * A step that runs a script.
 *
 * @param script path with which the step names the script
 * @param place of the input in the definition, for example {@code steps[1].input}; in a definition without an input, where it would be
 */
public record ScriptUse(String script, Template input, String place) {
    public ScriptUse {
        requireNonNull(script, "script");
        requireNonNull(input, "input");
        requireNonNull(place, "place");
    }
}
