package dev.millrace.scheduler.input;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.text.go.GoSignature;
import dev.millrace.text.go.GoType;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes the schema of a script in Go by what {@code encoding/json} takes for the types of its parameters. It takes null for
 * each of them, and leaves the value as it was.
 */
final class GoInputs {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final GoSignature signature;
    private final Set<String> named = new LinkedHashSet<>();

    GoInputs(GoSignature signature) {
        this.signature = signature;
    }

    ObjectNode schema() {
        ObjectNode schema = DeclaredSchemas.object(NODES.objectNode());
        ObjectNode properties = schema.putObject("properties");
        for (GoSignature.Parameter parameter : signature.parameters()) {
            if (parameter.type() == GoType.Scalar.CONTEXT) {
                // The worker fills it, and ignores an input of this name.
                schema.withObjectProperty("patternProperties").putObject("^" + Pattern.quote(parameter.name()) + "$");
                continue;
            }
            properties.set(parameter.name(), type(parameter.type()));
            if (parameter.isRequired()) {
                schema.withArray("required").add(parameter.name());
            }
        }
        schema.put("additionalProperties", false);
        addNamed(schema);
        return schema;
    }

    private void addNamed(ObjectNode schema) {
        Set<String> written = new LinkedHashSet<>();
        while (written.size() < named.size()) {
            for (String name : Set.copyOf(named)) {
                if (written.add(name)) {
                    schema.withObjectProperty("$defs")
                            .set(
                                    name,
                                    struct(requireNonNull(signature.structs().get(name)))
                                            .put("title", name));
                }
            }
        }
    }

    private ObjectNode type(GoType type) {
        return switch (type) {
            case GoType.Scalar scalar -> scalar(scalar);
            case GoType.Pointer(GoType target) -> type(target);
            case GoType.ListOf(GoType element) -> {
                ObjectNode list = orNull("array");
                list.set("items", type(element));
                yield list;
            }
            case GoType.MapOf(GoType value) -> {
                ObjectNode map = orNull("object");
                map.set("additionalProperties", type(value));
                yield map;
            }
            case GoType.Struct struct -> struct(struct);
            case GoType.Named(String name)
            when signature.structs().containsKey(name) -> {
                named.add(name);
                yield NODES.objectNode().put("$ref", "#/$defs/" + name);
            }
            case GoType.Named _ -> NODES.objectNode();
        };
    }

    private ObjectNode struct(GoType.Struct struct) {
        ObjectNode object = orNull("object");
        ObjectNode properties = object.putObject("properties");
        struct.fields().forEach(field -> properties.set(field.name(), type(field.type())));
        return object;
    }

    private static ObjectNode scalar(GoType.Scalar scalar) {
        return switch (scalar) {
            case BOOLEAN -> orNull("boolean");
            case STRING -> orNull("string");
            case INTEGER -> orNull("integer");
            case UNSIGNED -> orNull("integer").put("minimum", 0);
            case FLOAT -> orNull("number");
            case TIME -> orNull("string").put("format", "date-time").put("pattern", "^\\d{4}-\\d\\d-\\d\\d");
            case BYTES -> {
                ObjectNode bytes = NODES.objectNode();
                bytes.putArray("anyOf")
                        .add(orNull("string").put("contentEncoding", "base64"))
                        .add(NODES.objectNode().put("type", "array"));
                yield bytes;
            }
            case CONTEXT, OPAQUE, UNKNOWN -> NODES.objectNode();
        };
    }

    private static ObjectNode orNull(String type) {
        ObjectNode schema = NODES.objectNode();
        schema.putArray("type").add(type).add("null");
        return schema;
    }
}
