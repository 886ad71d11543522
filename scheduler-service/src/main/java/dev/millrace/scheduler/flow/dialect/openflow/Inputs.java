package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reader of {@code schema}, the JSON Schema of the input: types, defaults and required inputs. */
final class Inputs {
    private final Reading reading;

    Inputs(Reading reading) {
        this.reading = reading;
    }

    List<InputSpec> read(Fields flow) {
        Optional<SourceNode> node = flow.find("schema");
        if (node.isEmpty()) {
            return List.of();
        }
        Fields schema = reading.fields(node.get(), flow.path("schema"), "a JSON Schema", List.of());
        Set<String> required = required(schema);
        List<InputSpec> inputs = new ArrayList<>();
        schema.find("properties").ifPresent(properties -> {
            Fields fields = reading.fields(properties, schema.path("properties"), "properties", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                inputs.add(input(entry, fields.path(entry.key()), required.contains(entry.key())));
            }
        });
        return inputs;
    }

    private InputSpec input(SourceNode.Entry entry, String path, boolean required) {
        Fields property = reading.fields(entry.value(), path, "a property", List.of());
        InputType type = property.find("type")
                .filter(SourceNode.Text.class::isInstance)
                .flatMap(text -> InputType.find(((SourceNode.Text) text).text()))
                .orElse(InputType.ANY);
        Optional<JsonValue> defaultValue =
                property.find("default").map(node -> new Constants(reading).read(node, property.path("default")));
        if (defaultValue.isPresent() && !type.accepts(defaultValue.get())) {
            reading.problem(
                    property.find("default").orElseThrow().mark(),
                    property.path("default"),
                    "The default is " + defaultValue.get().kind().phrase() + " (expected: " + type.phrase() + ").",
                    "Change the default or the type.");
        }
        return new InputSpec(
                entry.key(),
                type,
                required && defaultValue.isEmpty(),
                defaultValue,
                property.text("description").orElse(""));
    }

    private Set<String> required(Fields schema) {
        Set<String> names = new HashSet<>();
        Optional<SourceNode> node = schema.find("required");
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                if (item instanceof SourceNode.Text text) {
                    names.add(text.text());
                }
            }
        } else if (node.isPresent()) {
            reading.problem(
                    node.get().mark(),
                    schema.path("required"),
                    "required is " + node.get().phrase() + " (expected: an array of names).",
                    "Write for example [\"files\"].");
        }
        return names;
    }
}
