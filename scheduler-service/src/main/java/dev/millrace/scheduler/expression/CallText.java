package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writer of a call of one of the {@link Functions}, in the form that {@link Arguments} reads. */
public final class CallText {
    private final String function;
    private final List<Template> arguments = new ArrayList<>();

    /**
     * Begins a call.
     *
     * @param function name of the function, including its family
     */
    public CallText(String function) {
        this.function = function;
    }

    public CallText text(String text) {
        return value(JsonValue.ofString(text));
    }

    public CallText flag(boolean flag) {
        return value(flag ? JsonValue.TRUE : JsonValue.FALSE);
    }

    public CallText number(int number) {
        return value(JsonValue.of(number));
    }

    public CallText word(Enum<?> word) {
        return text(word.name().toLowerCase(Locale.ROOT));
    }

    public CallText texts(List<String> texts) {
        return value(array(texts.stream().map(JsonValue::ofString).toList()));
    }

    private static JsonValue array(List<JsonValue> elements) {
        return JsonValue.of(elements.stream().map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")));
    }

    public CallText value(JsonValue value) {
        arguments.add(new Template.Constant(value));
        return this;
    }

    public CallText expression(Expression expression) {
        arguments.add(new Template.Whole(expression));
        return this;
    }

    public CallText expressions(List<Expression> expressions) {
        arguments.add(new Template.Elements(
                expressions.stream().<Template>map(Template.Whole::new).toList()));
        return this;
    }

    public CallText members(Map<String, Expression> expressions) {
        Map<String, Template> members = new LinkedHashMap<>();
        expressions.forEach((name, expression) -> members.put(name, new Template.Whole(expression)));
        arguments.add(new Template.Members(members));
        return this;
    }

    /** Returns the text of the call; empty if an argument has no text. */
    public Optional<String> write() {
        List<Optional<String>> texts =
                arguments.stream().map(ExpressionText::of).toList();
        return texts.stream().allMatch(Optional::isPresent)
                ? Optional.of(texts.stream()
                        .map(Optional::orElseThrow)
                        .collect(Collectors.joining(", ", function + "(", ")")))
                : Optional.empty();
    }
}
