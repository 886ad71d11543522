package dev.millrace.scheduler.expression;

/** What became of the text of a template. */
public sealed interface TemplateReading {
    /** The template it is. */
    record Read(Template template) implements TemplateReading {}

    /**
     * Why it is none.
     *
     * @param message what is wrong, in full sentences
     * @param remedy what to do about it
     */
    record Unreadable(String message, String remedy) implements TemplateReading {}
}
