package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writer of values and templates as trees of maps, lists, strings and JSON values. Collects what the dialect cannot
 * express.
 */
final class ValuePrinter {
    private final List<String> reasons = new ArrayList<>();
    /** Name of what is being written, for the reasons. */
    private String owner = "The flow";

    void enter(String name) {
        owner = name;
    }

    void refuse(String what) {
        String reason = owner + " has " + what + ", which the dialect millrace cannot express.";
        if (!reasons.contains(reason)) {
            reasons.add(reason);
        }
    }

    List<String> reasons() {
        return reasons;
    }

    Object value(Template template) {
        return switch (template) {
            case Template.Constant constant -> constant(constant.value());
            case Template.Whole(Composed composed) -> value(composed.template());
            case Template.Whole whole -> embedded(whole.expression());
            case Template.Text text -> isWritable(text) ? text(text) : embedded(new Composed(text));
            case Template.Members object -> {
                Map<String, Object> members = new LinkedHashMap<>();
                object.members().forEach((name, value) -> members.put(name, value(value)));
                yield members;
            }
            case Template.Elements array ->
                array.elements().stream().map(this::value).toList();
        };
    }

    /**
     * Whether a text can be written with embedded expressions. A single expression, or one after a dollar sign, would
     * be read back as something else.
     */
    private static boolean isWritable(Template.Text text) {
        List<Template.Part> parts = text.parts();
        for (int i = 1; i < parts.size(); i++) {
            if (parts.get(i - 1) instanceof Template.Part.Literal(String before) && before.endsWith("$")) {
                return false;
            }
        }
        return parts.size() > 1;
    }

    private String text(Template.Text text) {
        StringBuilder joined = new StringBuilder();
        for (Template.Part part : text.parts()) {
            joined.append(
                    switch (part) {
                        case Template.Part.Literal literal -> escaped(literal.text());
                        case Template.Part.Embedded embedded -> embedded(embedded.expression());
                    });
        }
        return joined.toString();
    }

    Object constant(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                value.members().forEach((name, member) -> members.put(name, constant(member)));
                yield members;
            }
            case ARRAY -> value.elements().stream().map(this::constant).toList();
            case STRING -> escaped(value.string());
            case NUMBER, BOOLEAN, NULL -> value;
        };
    }

    private String embedded(Expression expression) {
        Optional<String> text = ExpressionText.of(expression);
        if (text.isEmpty()) {
            refuse("the expression \"" + expression + "\"");
        }
        String written = text.orElse("null");
        boolean mayEndInComment = written.contains("//");
        return "${{ " + written + (mayEndInComment ? "\n}}" : " }}");
    }

    private static String escaped(String text) {
        return text.replace("${{", "$${{");
    }
}
