package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonStrings;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes trees of maps, lists, strings and JSON values as YAML that reads back as the same tree. */
final class YamlWriter {
    /** Texts that need no quotes: they begin with a letter, hold nothing that YAML understands, and are no word of JSON. */
    private static final Pattern PLAIN = Pattern.compile("(?!(true|false|null)$)[A-Za-z_][A-Za-z0-9_./-]*");

    private final StringBuilder target = new StringBuilder();

    private YamlWriter() {}

    static String write(Map<String, ?> document) {
        YamlWriter writer = new YamlWriter();
        writer.members(document, 0);
        return writer.target.toString();
    }

    private void members(Map<?, ?> object, int indent) {
        String separator = "";
        for (Map.Entry<?, ?> member : object.entrySet()) {
            target.append(separator);
            target.append(scalar(String.valueOf(member.getKey()))).append(':');
            value(member.getValue(), indent);
            separator = " ".repeat(indent);
        }
    }

    private void value(Object value, int indent) {
        switch (value) {
            case Map<?, ?> object when object.isEmpty() -> target.append(" {}\n");
            case List<?> array when array.isEmpty() -> target.append(" []\n");
            case Map<?, ?> object -> {
                target.append('\n').append(" ".repeat(indent + 2));
                members(object, indent + 2);
            }
            case List<?> array -> {
                target.append('\n');
                for (Object element : array) {
                    target.append(" ".repeat(indent + 2)).append('-');
                    element(element, indent + 2);
                }
            }
            case String text when isBlock(text) -> block(text, indent + 2);
            default -> target.append(' ').append(scalar(value)).append('\n');
        }
    }

    /** What follows a dash: an object begins on the same line. */
    private void element(Object element, int indent) {
        if (element instanceof Map<?, ?> object && !object.isEmpty()) {
            target.append(' ');
            members(object, indent + 2);
        } else {
            value(element, indent);
        }
    }

    /** Whether a text of several lines can stand as it is: then it neither begins nor ends with a space or an empty line. */
    private static boolean isBlock(String text) {
        return text.contains("\n")
                && text.equals(text.strip())
                && text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~'));
    }

    private void block(String text, int indent) {
        target.append(" |-\n");
        text.lines()
                .forEach(line -> target.append(line.isEmpty() ? "" : " ".repeat(indent))
                        .append(line)
                        .append('\n'));
    }

    /** Single quotes need no escapes, but can hold only what is printed as it stands. */
    private static String scalar(Object value) {
        if (!(value instanceof String text) || PLAIN.matcher(text).matches()) {
            return String.valueOf(value);
        }
        boolean asItStands = text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '\'');
        return asItStands && text.contains("\"") ? "'" + text + "'" : JsonStrings.quote(text);
    }
}
