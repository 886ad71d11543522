package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads input transforms: {@code {type: static, value: …}} and {@code {type: javascript, expr: …}}. The type decides; Windmill's editor
 * leaves behind what a transform of the other type had.
 */
final class Transforms {
    /** What a module is given. */
    static final String MANY = "input_transforms";
    /** What older definitions call it. */
    static final String OLD = "input_transform";

    private static final List<String> KEYS = List.of("type", "value", "expr");

    private final Reading reading;
    private final Expressions expressions;

    Transforms(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    /** The input of a script or flow; older definitions have it in the singular, or in the module itself. */
    Template input(Fields value, Fields module) {
        if (value.has(MANY)) {
            value.refuse(List.of(OLD), "cannot stand beside \"" + MANY + "\".", "Keep one of the two.");
        }
        String own = value.has(OLD) && !value.has(MANY) ? OLD : MANY;
        if (value.has(own)) {
            module.refuse(
                    List.of(MANY, OLD), "cannot stand beside \"" + own + "\" in the value.", "Keep one of the two.");
            return object(value, own, expressions.before());
        }
        if (module.has(MANY)) {
            module.refuse(List.of(OLD), "cannot stand beside \"" + MANY + "\".", "Keep one of the two.");
        }
        return object(module, module.has(MANY) ? MANY : OLD, expressions.before());
    }

    /** Refuses an input of a module that takes none; an empty one is what editors leave. */
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

    /** The transform of a key. */
    Optional<Template> find(Fields fields, String key, Names names) {
        return fields.find(key).flatMap(node -> read(node, fields.path(key), names));
    }

    /** The transform of a key, or the number that stands in its place, as older definitions have it. */
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
                yield Optional.of(new Template.Constant(fields.find("value")
                        .map(value -> new Constants(reading).read(value, fields.path("value")))
                        .orElse(JsonValue.NULL)));
            }
            case "javascript" -> expressions.required(fields, names);
            default -> {
                unknownType(fields);
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
                type.map(found -> "The transform has the type " + found.shown() + ", which is not known here.")
                        .orElse("The transform has no type."),
                "Write type: static with a value, or type: javascript with an expr.");
    }
}
