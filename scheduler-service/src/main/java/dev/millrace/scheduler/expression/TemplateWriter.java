package dev.millrace.scheduler.expression;

import java.util.Map;

/** Writer of the value of one template. It stops as soon as the value exceeds its limit. */
final class TemplateWriter {
    /** Exception that ends the writing of a value that is too large. */
    static final class TooLarge extends RuntimeException {
        TooLarge() {
            super("too large", null, false, false);
        }
    }

    private final Scope scope;
    private final int charsMax;
    private final StringBuilder target = new StringBuilder();

    TemplateWriter(Scope scope, int charsMax) {
        this.scope = scope;
        this.charsMax = charsMax;
    }

    JsonValue value(Template template) {
        return switch (template) {
            case Template.Constant constant -> constant.value();
            case Template.Whole whole -> whole.expression().evaluate(scope);
            case Template.Text text -> JsonValue.ofString(text(text));
            case Template.Members object -> written(object);
            case Template.Elements array -> written(array);
        };
    }

    static Resolution tooLarge(int bytesMax) {
        return new Resolution.Unresolved(
                "PayloadTooLarge",
                "The value is larger than the limit of " + bytesMax
                        + " bytes. Pass a reference to the data, such as a path or a URL, instead of the data.");
    }

    private JsonValue written(Template template) {
        write(template);
        return JsonValue.of(target.toString());
    }

    private void write(Template template) {
        switch (template) {
            case Template.Constant constant -> constant.value().appendTo(target);
            case Template.Whole whole -> whole.expression().evaluate(scope).appendTo(target);
            case Template.Text text -> JsonStrings.appendQuoted(target, text(text));
            case Template.Members object -> writeObject(object);
            case Template.Elements array -> writeArray(array);
        }
        checkSize(target);
    }

    private void writeObject(Template.Members object) {
        target.append('{');
        String separator = "";
        for (Map.Entry<String, Template> member : object.members().entrySet()) {
            target.append(separator);
            JsonStrings.appendQuoted(target, member.getKey());
            target.append(':');
            write(member.getValue());
            separator = ",";
        }
        target.append('}');
    }

    private void writeArray(Template.Elements array) {
        target.append('[');
        String separator = "";
        for (Template element : array.elements()) {
            target.append(separator);
            write(element);
            separator = ",";
        }
        target.append(']');
    }

    private String text(Template.Text text) {
        StringBuilder content = new StringBuilder();
        for (Template.Part part : text.parts()) {
            switch (part) {
                case Template.Part.Literal literal -> content.append(literal.text());
                case Template.Part.Embedded embedded ->
                    embedded.expression().evaluate(scope).appendAsTextTo(content);
            }
            checkSize(content);
        }
        return content.toString();
    }

    private void checkSize(StringBuilder written) {
        if (written.length() > charsMax) {
            throw new TooLarge();
        }
    }
}
