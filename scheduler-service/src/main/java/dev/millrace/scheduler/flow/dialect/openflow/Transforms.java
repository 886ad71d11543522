package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of input transforms: {@code {type: static, value: …}} and {@code {type: javascript, expr: …}}. Only the key
 * for the type counts, because Windmill's editor may leave the other one in place.
 */
final class Transforms {
    /** Key with the inputs of a module. */
    static final String MANY = "input_transforms";
    /** Name of that key in older definitions. */
    static final String OLD = "input_transform";

    private static final List<String> KEYS = List.of("type", "value", "expr");

    private final Reading reading;
    private final Expressions expressions;

    Transforms(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    /**
     * Reads the input of a script or flow. Older definitions use the singular key, or have the key in the module
     * itself.
     */
    Template input(Fields value, Fields module) {
        if (value.has(MANY)) {
            value.refuse(List.of(OLD), "cannot be combined with \"" + MANY + "\".", "Keep one of the two.");
        }
        String own = value.has(OLD) && !value.has(MANY) ? OLD : MANY;
        if (value.has(own)) {
            module.ignore(
                    List.of(MANY, OLD),
                    "has no effect beside \"" + own + "\" in the value, as in Windmill.",
                    "Keep one of the two.");
            return object(value, own, expressions.before());
        }
        if (module.has(MANY)) {
            module.refuse(List.of(OLD), "cannot be combined with \"" + MANY + "\".", "Keep one of the two.");
        }
        return object(module, module.has(MANY) ? MANY : OLD, expressions.before());
    }

    /** Reports the input of a module that takes none, unless it is empty, as editors leave it. */
    static void refuse(Fields module, String kind) {
        for (String key : List.of(MANY, OLD)) {
            boolean isEmpty = module.find(key).stream()
                    .allMatch(node -> node instanceof SourceNode.Mapping mapping
                            && mapping.entries().isEmpty());
            if (!isEmpty) {
                module.refuse(
                        List.of(key),
                        "does not apply to a module of type " + kind + ".",
                        "Move it into a module that takes input.");
            }
        }
    }

    private Template object(Fields fields, String key, Names names) {
        Optional<SourceNode> node = fields.find(key);
        if (node.isEmpty()) {
            return Template.Constant.EMPTY_OBJECT;
        }
        Map<String, Template> members = new LinkedHashMap<>();
        Fields inputs = reading.fields(node.get(), fields.path(key), "a set of input transforms", List.of());
        for (SourceNode.Entry entry : inputs.entries()) {
            members.put(
                    entry.key(),
                    read(entry.value(), inputs.path(entry.key()), names).orElse(Template.Constant.NULL));
        }
        return Template.object(members);
    }

    /** Reads the transform of a key. */
    Optional<Template> find(Fields fields, String key, Names names) {
        return fields.find(key).flatMap(node -> read(node, fields.path(key), names));
    }

    /** Reads the transform of a key, or a plain number, as older definitions have it. */
    Optional<Template> findNumber(Fields fields, String key, Names names) {
        return fields.find(key)
                .flatMap(node -> node instanceof SourceNode.Literal literal
                                && literal.value().kind() == JsonValue.Kind.NUMBER
                        ? Optional.of(new Template.Constant(literal.value()))
                        : read(node, fields.path(key), names));
    }

    private Optional<Template> read(SourceNode node, String path, Names names) {
        Fields fields = reading.fields(node, path, "an input transform", KEYS);
        if (!fields.isObject()) {
            return Optional.empty();
        }
        return switch (fields.text("type").orElse("")) {
            case "static" -> {
                refuseExpressionAlone(fields);
                yield Optional.of(fields.find("value")
                        .map(value -> new StaticValues(reading).read(value, fields.path("value")))
                        .orElse(Template.Constant.NULL));
            }
            case "javascript" -> javascript(fields, names);
            default -> {
                unknownType(fields);
                yield Optional.empty();
            }
        };
    }

    private Optional<Template> javascript(Fields fields, Names names) {
        Optional<TemplateReading> call = fields.find("expr")
                .flatMap(node ->
                        node instanceof SourceNode.Text text ? StaticValues.call(text.text()) : Optional.empty());
        if (call.isEmpty()) {
            return expressions.required(fields, names);
        }
        return switch (call.get()) {
            case TemplateReading.Read(Template template) -> Optional.of(template);
            case TemplateReading.Unreadable(String message, String remedy) -> {
                reading.problem(fields.find("expr").orElseThrow().mark(), fields.path("expr"), message, remedy);
                yield Optional.empty();
            }
        };
    }

    private static void refuseExpressionAlone(Fields fields) {
        if (!fields.has("value")) {
            fields.refuse(
                    List.of("expr"),
                    "does not belong to a transform of type static.",
                    "Remove it, or change the type: value belongs to static, expr to javascript.");
        }
    }

    private void unknownType(Fields fields) {
        Optional<SourceNode> type = fields.find("type");
        reading.problem(
                type.map(SourceNode::mark).orElse(fields.mark()),
                fields.path("type"),
                type.map(found -> "The transform has the type " + found.shown() + ", which is unknown here.")
                        .orElse("The transform has no type."),
                "Write type: static with a value, or type: javascript with an expr.");
    }
}
