package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.ArrayList;
import java.util.List;

/** Strings of Conductor definitions. */
public final class PathTemplates {
    private static final String OPEN = "${";
    private static final String ESCAPED = "$${";

    private final String text;
    private final References references;
    private final List<Template.Part> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();

    private PathTemplates(String text, References references) {
        this.text = text;
        this.references = references;
    }

    /**
     * Reads a string that may hold <code>${…}</code>. Where it is wholly one, it takes the value with its type; what is missing is null, and
     * nothing at all in a longer string. <code>$${</code> stands for <code>${</code> itself.
     *
     * @param text the string
     * @param references what the names in it stand for
     */
    public static TemplateReading read(String text, References references) {
        try {
            return new TemplateReading.Read(new PathTemplates(text, references).template());
        } catch (PathInvalid invalid) {
            return new TemplateReading.Unreadable(invalid.sentence(), invalid.remedy());
        }
    }

    private Template template() {
        int position = 0;
        while (position < text.length()) {
            if (text.startsWith(ESCAPED, position)) {
                literal.append(OPEN);
                position += ESCAPED.length();
            } else if (text.startsWith(OPEN, position)) {
                int close = close(text, position);
                endLiteral();
                String path = text.substring(position + OPEN.length(), close);
                parts.add(new Template.Part.Embedded(new PathReader(path, references).path()));
                position = close + 1;
            } else {
                literal.append(text.charAt(position++));
            }
        }
        return whole();
    }

    private Template whole() {
        if (parts.isEmpty()) {
            return new Template.Constant(JsonValue.ofString(literal.toString()));
        }
        endLiteral();
        if (parts.size() == 1 && parts.getFirst() instanceof Template.Part.Embedded only) {
            return new Template.Whole(only.expression());
        }
        return new Template.Text(parts.stream().map(PathTemplates::inText).toList());
    }

    private static Template.Part inText(Template.Part part) {
        return switch (part) {
            case Template.Part.Literal text -> text;
            case Template.Part.Embedded path -> new Template.Part.Embedded(new OrNothing(path.expression()));
        };
    }

    private void endLiteral() {
        if (!literal.isEmpty()) {
            parts.add(new Template.Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    /** Where the brace that opens after {@code open} closes; others may stand in between. */
    static int close(String text, int open) {
        int depth = 0;
        char quote = 0;
        for (int i = open + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return i;
            }
        }
        throw new PathInvalid(
                "The path that begins with \"" + text.substring(open).strip() + "\" is not closed.",
                "Close it with }, or write $${ for the characters ${ themselves.");
    }
}
