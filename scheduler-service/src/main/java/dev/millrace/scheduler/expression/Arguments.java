package dev.millrace.scheduler.expression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Arguments of a call of one of the {@link Functions}. Each accessor throws {@link IllegalArgumentException} if the
 * argument is missing or of another kind.
 */
public record Arguments(List<Template> values) {
    public Arguments {
        values = List.copyOf(values);
    }

    /** Number of arguments. */
    public int count() {
        return values.size();
    }

    /** A constant string. */
    public String text(int position) {
        JsonValue value = constant(position);
        if (value.kind() != JsonValue.Kind.STRING) {
            throw wrong(position, "a text in quotes");
        }
        return value.string();
    }

    /** A constant {@code true} or {@code false}. */
    public boolean flag(int position) {
        JsonValue value = constant(position);
        if (value.kind() != JsonValue.Kind.BOOLEAN) {
            throw wrong(position, "true or false");
        }
        return value.equals(JsonValue.TRUE);
    }

    /** A constant whole number. */
    public int number(int position) {
        try {
            return Integer.parseInt(constant(position).text());
        } catch (NumberFormatException other) {
            throw wrong(position, "a whole number");
        }
    }

    /** A constant of an enumeration, by its name in lower case. */
    public <E extends Enum<E>> E word(int position, Class<E> type) {
        String word = text(position);
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
                return value;
            }
        }
        throw wrong(position, "a word that the function knows");
    }

    /** Any expression. */
    public Expression expression(int position) {
        return expression(value(position));
    }

    /** An array of expressions. */
    public List<Expression> expressions(int position) {
        return switch (value(position)) {
            case Template.Elements array ->
                array.elements().stream().map(Arguments::expression).toList();
            case Template.Constant constant
            when constant.value().kind() == JsonValue.Kind.ARRAY ->
                constant.value().elements().stream()
                        .map(element -> expression(new Template.Constant(element)))
                        .toList();
            case Template _ -> throw wrong(position, "an array");
        };
    }

    /** An object of expressions. */
    public Map<String, Expression> members(int position) {
        Map<String, Expression> members = new LinkedHashMap<>();
        switch (value(position)) {
            case Template.Members object ->
                object.members().forEach((name, value) -> members.put(name, expression(value)));
            case Template.Constant constant
            when constant.value().kind() == JsonValue.Kind.OBJECT ->
                constant.value()
                        .members()
                        .forEach((name, value) -> members.put(name, expression(new Template.Constant(value))));
            case Template _ -> throw wrong(position, "an object");
        }
        return members;
    }

    /** A constant array of strings. */
    public List<String> texts(int position) {
        JsonValue value = constant(position);
        if (value.kind() != JsonValue.Kind.ARRAY
                || !value.elements().stream().allMatch(element -> element.kind() == JsonValue.Kind.STRING)) {
            throw wrong(position, "an array of texts");
        }
        return value.elements().stream().map(JsonValue::string).toList();
    }

    /** A constant object of strings. */
    public Map<String, String> namedTexts(int position) {
        JsonValue value = constant(position);
        if (value.kind() != JsonValue.Kind.OBJECT
                || !value.members().values().stream().allMatch(member -> member.kind() == JsonValue.Kind.STRING)) {
            throw wrong(position, "an object of texts");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        value.members().forEach((name, text) -> texts.put(name, text.string()));
        return texts;
    }

    private static Expression expression(Template template) {
        return template instanceof Template.Whole whole ? whole.expression() : new Composed(template);
    }

    /** A constant of any kind. */
    public JsonValue constant(int position) {
        if (value(position) instanceof Template.Constant constant) {
            return constant.value();
        }
        throw wrong(position, "a constant");
    }

    private Template value(int position) {
        if (position >= values.size()) {
            throw new IllegalArgumentException("Argument " + (position + 1) + " is missing.");
        }
        return values.get(position);
    }

    private static IllegalArgumentException wrong(int position, String expected) {
        return new IllegalArgumentException("Argument " + (position + 1) + " is not " + expected + ".");
    }
}
