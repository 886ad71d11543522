package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.TemplateReading;

/** Strings of Fastflow definitions. */
public final class GoTemplates {
    private GoTemplates() {}

    /**
     * Reads a string that may hold <code>{{variable}}</code> and actions of Go's text/template. Its value is a string; a key that
     * is missing fails.
     *
     * @param text the string
     * @param names what the names in it stand for
     */
    public static TemplateReading read(String text, GoNames names) {
        return new TemplateReading.Unreadable(
                "Templates such as \"" + text + "\" are not supported yet.", "Use a constant.");
    }
}
