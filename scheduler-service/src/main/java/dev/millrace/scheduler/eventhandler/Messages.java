package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.NoScope;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.expression.jsonpath.PathTemplates;
import dev.millrace.scheduler.expression.jsonpath.References;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads messages: conditions over them, and texts that contain their values. Evaluations block. */
final class Messages {
    private static final String OPEN = "${";
    private static final int DEPTH_MAX = 100;

    private Messages() {}

    /** A condition over a message, which the script knows as {@code $}. */
    static ExpressionReading condition(String script, JsonValue message) {
        return JavaScript.read(script, new Names(Map.of("$", new Binding.Value(Composed.constant(message))), true));
    }

    /**
     * Whether the condition holds: it is true, or a number above 0.
     *
     * @throws EvaluationFailed if it has no value
     */
    static boolean holds(String script, JsonValue message) {
        return switch (condition(script, message)) {
            case ExpressionReading.Read(Expression expression) -> {
                JsonValue value = expression.evaluate(NoScope.INSTANCE);
                yield switch (value.kind()) {
                    case BOOLEAN -> value.isTruthy();
                    case NUMBER -> Double.parseDouble(value.text()) > 0;
                    case STRING, OBJECT, ARRAY, NULL -> false;
                };
            }
            case ExpressionReading.Unreadable unreadable ->
                throw new EvaluationFailed("ExpressionFailed", unreadable.message() + " " + unreadable.remedy());
        };
    }

    /**
     * A value with the values of a message in place of <code>${…}</code>. Keys stay as they are.
     *
     * @param bytesMax maximum size of the result, since a few characters can name a large value many times
     * @throws EvaluationFailed if a path is none, or cannot be evaluated, or the result is too large
     */
    static JsonValue fill(JsonValue value, JsonValue message, int bytesMax) {
        return switch (template(value, message).resolve(NoScope.INSTANCE, bytesMax)) {
            case Resolution.Resolved(JsonValue filled) -> filled;
            case Resolution.Unresolved(String name, String sentence) -> throw new EvaluationFailed(name, sentence);
        };
    }

    private static Template template(JsonValue value, JsonValue message) {
        return switch (value.kind()) {
            case OBJECT -> {
                Map<String, Template> members = new LinkedHashMap<>();
                value.members().forEach((key, member) -> members.put(key, template(member, message)));
                yield Template.object(members);
            }
            case ARRAY ->
                Template.array(value.elements().stream()
                        .map(element -> template(element, message))
                        .toList());
            case STRING ->
                value.string().contains(OPEN) ? template(value.string(), message) : new Template.Constant(value);
            case NUMBER, BOOLEAN, NULL -> new Template.Constant(value);
        };
    }

    private static Template template(String text, JsonValue message) {
        return switch (PathTemplates.read(text.replace("${$.", OPEN), values(message))) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable ->
                throw new EvaluationFailed("ExpressionFailed", unreadable.message() + " " + unreadable.remedy());
        };
    }

    private static References values(JsonValue message) {
        return (holder, member) -> member(message, holder)
                .flatMap(value -> member.isEmpty() ? Optional.of(value) : member(value, member))
                .map(Composed::constant);
    }

    private static Optional<JsonValue> member(JsonValue value, String name) {
        return value.kind() == JsonValue.Kind.OBJECT
                ? Optional.ofNullable(value.members().get(name))
                : Optional.empty();
    }

    /** A message whose texts that are JSON objects or arrays count as these. */
    static JsonValue expand(JsonValue message) {
        return expand(message, 0);
    }

    private static JsonValue expand(JsonValue value, int depth) {
        if (depth > DEPTH_MAX) {
            return value;
        }
        return switch (value.kind()) {
            case OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                value.members().forEach((key, member) -> members.put(key, expand(member, depth + 1)));
                yield JsonValue.ofMembers(members);
            }
            case ARRAY ->
                array(value.elements().stream()
                        .map(element -> expand(element, depth + 1))
                        .toList());
            case STRING -> inline(value);
            case NUMBER, BOOLEAN, NULL -> value;
        };
    }

    private static JsonValue inline(JsonValue text) {
        String inside = text.string().strip();
        if (!inside.startsWith("{") && !inside.startsWith("[")) {
            return text;
        }
        return JsonText.problem(inside).isEmpty() ? JsonValue.of(inside) : text;
    }

    private static JsonValue array(List<JsonValue> elements) {
        List<String> texts = new ArrayList<>();
        elements.forEach(element -> texts.add(element.text()));
        return JsonValue.of("[" + String.join(",", texts) + "]");
    }
}
