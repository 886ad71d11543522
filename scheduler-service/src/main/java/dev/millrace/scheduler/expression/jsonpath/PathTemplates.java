package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.TemplateReading;

/** Strings of Conductor definitions. */
public final class PathTemplates {
    private PathTemplates() {}

    /**
     * Reads a string that may hold <code>${…}</code>. Where it is wholly one, it takes the value with its type; what is missing is null.
     * A doubled dollar sign stands for a single one.
     *
     * @param text the string
     * @param references what the names in it stand for
     */
    public static TemplateReading read(String text, References references) {
        return new TemplateReading.Unreadable(
                "Paths such as \"" + text + "\" are not supported yet.", "Use a constant.");
    }
}
