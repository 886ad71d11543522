package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;

/** Strings of Fastflow definitions. */
public final class GoTemplates {
    private GoTemplates() {}

    /**
     * Reads a string that may hold <code>{{variable}}</code> and actions of Go's text/template: fields, pipelines, {@code if},
     * {@code range}, {@code with}, comments, and the functions that {@link Functions} lists. Its value is a string, in which
     * arrays and objects are written as JSON; a key that is missing fails. Values are not read as templates again.
     *
     * @param text the string
     * @param names what the names in it stand for
     */
    public static TemplateReading read(String text, GoNames names) {
        if (!text.contains("{{")) {
            return new TemplateReading.Read(new Template.Constant(JsonValue.ofString(text)));
        }
        try {
            NamesRead read = new NamesRead(names);
            Node root = new Parser(text, read).template();
            return new TemplateReading.Read(new Template.Whole(new GoText(root, read.read(), text)));
        } catch (TextInvalid invalid) {
            return new TemplateReading.Unreadable(invalid.sentence(), invalid.remedy());
        }
    }
}
