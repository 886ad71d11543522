package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.List;

/** Splits one string of a definition into text and expressions. */
final class TextReader {
    private static final String OPEN = "${{";
    private static final String CLOSE = "}}";

    private final String text;
    private final List<Template.Part> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();

    TextReader(String text) {
        this.text = text;
    }

    Template template() {
        int position = 0;
        for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, position)) {
            if (open > position && text.charAt(open - 1) == '$') {
                literal.append(text, position, open - 1).append(OPEN);
                position = open + OPEN.length();
            } else {
                literal.append(text, position, open);
                int close = closeOf(open + OPEN.length());
                endLiteral();
                parts.add(new Template.Part.Embedded(PathReader.read(text.substring(open + OPEN.length(), close))));
                position = close + CLOSE.length();
            }
        }
        literal.append(text, position, text.length());
        return whole();
    }

    private Template whole() {
        if (parts.isEmpty()) {
            return new Template.Constant(JsonValue.ofString(literal.toString()));
        }
        endLiteral();
        return parts.size() == 1 && parts.getFirst() instanceof Template.Part.Embedded only
                ? new Template.Whole(only.expression())
                : new Template.Text(parts);
    }

    private void endLiteral() {
        if (!literal.isEmpty()) {
            parts.add(new Template.Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    /** Where the expression that starts at {@code start} ends; quotes inside it may hold the closing braces. */
    private int closeOf(int start) {
        char quote = 0;
        for (int position = start; position < text.length(); position++) {
            char c = text.charAt(position);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (text.startsWith(CLOSE, position)) {
                return position;
            }
        }
        throw new ExpressionInvalid(
                "The expression that begins with \""
                        + text.substring(start - OPEN.length()).strip() + "\" is not closed.",
                "Close it with }}, or write $${{ for the characters ${{ themselves.");
    }
}
