package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.regex.Pattern;

/** Makes paths of flows from names of workflows. */
final class WorkflowNames {
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");

    private WorkflowNames() {}

    /** The path with the number of a version; 0 stands for none. */
    static String path(String name, int version) {
        return path(name) + (version > 0 ? "@" + version : "");
    }

    /** The same for a number that is known only while the workflow runs; it may be a text, too. */
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

    /** The name, with {@code _} for whatever a path cannot hold. */
    static String path(String name) {
        return name.strip().replaceAll("[^A-Za-z0-9_-]", "_");
    }
}
