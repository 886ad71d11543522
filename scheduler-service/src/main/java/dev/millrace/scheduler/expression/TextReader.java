package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splitter of one string of a definition into literal text and expressions. */
final class TextReader {
    private static final String OPEN = "${{";
    private static final String CLOSE = "}}";

    private final String text;
    private final ExpressionLanguage language;
    private final List<Template.Part> parts = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();

    TextReader(String text, ExpressionLanguage language) {
        this.text = text;
        this.language = language;
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
                parts.add(new Template.Part.Embedded(expression(text.substring(open + OPEN.length(), close))));
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

    private Expression expression(String source) {
        Optional<Path> path = PathReader.read(source);
        if (path.isPresent()) {
            return language.plain(path.get());
        }
        return switch (language.read(source)) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable ->
                throw new ExpressionInvalid(unreadable.message(), unreadable.remedy());
        };
    }

    private int closeOf(int start) {
        return language.end(text, start)
                .orElseThrow(() -> new ExpressionInvalid(
                        "The expression that begins with \""
                                + text.substring(start - OPEN.length()).strip() + "\" is not closed.",
                        "Close it with }}, or write $${{ for the characters ${{ themselves."));
    }
}
