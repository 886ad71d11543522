package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.regex.Pattern;

/** Conversion of workflow names to flow paths. */
final class WorkflowNames {
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");

    private WorkflowNames() {}

    /** Makes a path with a version number; 0 means no version. */
    static String path(String name, int version) {
        return path(name) + (version > 0 ? "@" + version : "");
    }

    /** Makes a path with a version number that is known only at run time and may be a string. */
    static String path(String name, JsonValue version) {
        String text = version.kind() == JsonValue.Kind.STRING ? version.string().strip() : version.text();
        if (version.isNull() || text.isEmpty()) {
            return path(name);
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new EvaluationFailed("The version of the workflow \"" + name + "\" is " + version.text()
                    + " (expected: a whole number).");
        }
        return path(name, Integer.parseInt(text));
    }

    /** Makes a path in which {@code _} replaces each character that paths cannot have. */
    static String path(String name) {
        return name.strip().replaceAll("[^A-Za-z0-9_-]", "_");
    }
}
