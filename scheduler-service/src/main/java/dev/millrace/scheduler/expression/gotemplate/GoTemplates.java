package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;

/** Parser of strings in Fastflow definitions. */
public final class GoTemplates {
    private GoTemplates() {}

    /**
     * Parses a string that may contain <code>{{variable}}</code> and actions of Go's text/template: fields, pipelines,
     * {@code if}, {@code range}, {@code with}, comments, and the functions in {@link Functions}.
     *
     * <p>The value is a string in which arrays and objects are written as JSON. A missing key fails the evaluation.
     * Inserted values are not parsed for actions again.
     *
     * @param text the string
     * @param names resolver of the names in it
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
