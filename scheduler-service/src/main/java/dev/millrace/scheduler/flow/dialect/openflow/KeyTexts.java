package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of keys in which {@code $args[name]} stands for a value: for an input in keys of runs, for an argument in keys
 * of steps.
 */
final class KeyTexts {
    private static final Pattern VARIABLE = Pattern.compile("\\$workspace|\\$args\\[([^\\]]+)]");

    private KeyTexts() {}

    static Template read(String text) {
        return read(text, name -> new Template.Part.Embedded(input(name)));
    }

    /**
     * Reads a key.
     *
     * @param argument returns the part that replaces an argument
     */
    static Template read(String text, Function<String, Template.Part> argument) {
        List<Template.Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            variable.appendReplacement(literal, "");
            if (variable.group(1) != null) {
                addLiteral(literal, parts);
                parts.add(argument.apply(variable.group(1)));
            }
        }
        variable.appendTail(literal);
        if (parts.isEmpty()) {
            return new Template.Constant(JsonValue.ofString(literal.toString()));
        }
        addLiteral(literal, parts);
        return parts.size() == 1 && parts.getFirst() instanceof Template.Part.Embedded(Expression only)
                ? new Template.Whole(only)
                : new Template.Text(parts);
    }

    private static void addLiteral(StringBuilder literal, List<Template.Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Template.Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static Expression input(String name) {
        List<Segment> segments = new ArrayList<>();
        for (String key : name.split("\\.", -1)) {
            segments.add(Segment.key(key, true));
        }
        return new Path(new Root.Inputs(), segments);
    }
}
