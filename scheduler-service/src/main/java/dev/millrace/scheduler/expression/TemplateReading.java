package dev.millrace.scheduler.expression;

/** Result of parsing the text of a template. */
public sealed interface TemplateReading {
    /** A valid template. */
    record Read(Template template) implements TemplateReading {}

    /**
     * An invalid template.
     *
     * @param message what is wrong, in full sentences
     * @param remedy what to do about it
     */
    record Unreadable(String message, String remedy) implements TemplateReading {}
}
