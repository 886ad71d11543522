package dev.millrace.scheduler.expression;

import java.util.Optional;

/** Function family {@code text}. */
public final class TextFunctions {
    /** Function that converts its arguments to text and joins them. */
    static final String JOIN = "text.join";

    private TextFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments arguments) {
        if (!JOIN.equals("text." + name)) {
            return Optional.empty();
        }
        return Optional.of(new Composed(new Template.Text(
                arguments.values().stream().map(TextFunctions::part).toList())));
    }

    private static Template.Part part(Template argument) {
        return switch (argument) {
            case Template.Whole whole -> new Template.Part.Embedded(whole.expression());
            case Template.Constant constant
            when constant.value().kind() == JsonValue.Kind.STRING ->
                new Template.Part.Literal(constant.value().string());
            case Template other -> new Template.Part.Embedded(new Composed(other));
        };
    }
}
