package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of strings in Conductor definitions. */
public final class PathTemplates {
    private static final String OPEN = "${";
    /** Maximum nesting depth of paths in paths. */
    private static final int DEPTH_MAX = 8;

    private final String text;
    private final References references;
    private final int depth;

    private PathTemplates(String text, References references, int depth) {
        this.text = text;
        this.references = references;
        this.depth = depth;
    }

    /**
     * Parses a string that may contain <code>${…}</code>. A string that consists of one path has the value of that
     * path, with its type. Within a longer string, values become text. A missing value is null. <code>$${</code> stands
     * for <code>${</code>.
     *
     * @param text the string
     * @param references resolver of the names in it
     */
    public static TemplateReading read(String text, References references) {
        try {
            return new TemplateReading.Read(new PathTemplates(text, references, 0).template());
        } catch (PathInvalid invalid) {
            return new TemplateReading.Unreadable(invalid.sentence(), invalid.remedy());
        }
    }

    private Template template() {
        List<Template.Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        List<Expression> expressions = new ArrayList<>();
        int position = 0;
        for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, position)) {
            literal.append(text, position, open);
            if (open > 0 && text.charAt(open - 1) == '$') {
                literal.append('{');
                position = open + OPEN.length();
                continue;
            }
            int close = closeOf(open + OPEN.length());
            if (!literal.isEmpty()) {
                parts.add(new Template.Part.Literal(literal.toString()));
                literal.setLength(0);
            }
            Expression expression =
                    expression(text.substring(open + OPEN.length(), close).strip());
            expressions.add(expression);
            parts.add(new Template.Part.Embedded(expression));
            position = close + 1;
        }
        literal.append(text.substring(position));
        if (expressions.size() == 1 && parts.size() == 1 && literal.isEmpty()) {
            return new Template.Whole(expressions.getFirst());
        }
        if (parts.isEmpty()) {
            return new Template.Constant(JsonValue.ofString(literal.toString()));
        }
        if (!literal.isEmpty()) {
            parts.add(new Template.Part.Literal(literal.toString()));
        }
        return new Template.Text(parts);
    }

    private Expression expression(String path) {
        if (!path.contains(OPEN)) {
            return PathReader.read(path, references);
        }
        if (depth >= DEPTH_MAX) {
            throw new PathInvalid("Paths are nested deeper than " + DEPTH_MAX + " levels.", "Use fewer levels.");
        }
        Template nested = new PathTemplates(path, references, depth + 1).template();
        return fromBase(nested).orElseGet(() -> new NestedPath(nested, references, path));
    }

    /**
     * Separates the base of a path that begins with literal names, so that only the rest of the path is computed at
     * evaluation.
     */
    private Optional<Expression> fromBase(Template nested) {
        if (!(nested instanceof Template.Text text)
                || !(text.parts().getFirst() instanceof Template.Part.Literal(String begin))) {
            return Optional.empty();
        }
        return PathReader.base(begin, references).map(base -> {
            List<Template.Part> way = new ArrayList<>(text.parts());
            way.set(0, new Template.Part.Literal(begin.substring(base.end())));
            return new ComputedPath(base.expression(), new Composed(new Template.Text(way)));
        });
    }

    /** Finds the index of the brace that closes a path. */
    private int closeOf(int start) {
        int open = 1;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{') {
                open++;
            } else if (c == '}' && --open == 0) {
                return i;
            }
        }
        throw new PathInvalid(
                "The path that begins with \"" + text.substring(start - OPEN.length()) + "\" is not closed.",
                "Close it with }, or write $${ for the characters ${ themselves.");
    }
}
