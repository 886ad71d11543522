package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reader of {@code inputs}. */
final class Inputs {
    static final String EMPTY_MEANS_DEFAULT = "empty_means_default";

    private static final List<String> KEYS = List.of("type", "default", EMPTY_MEANS_DEFAULT, "required", "description");
    private static final List<String> TYPES =
            Arrays.stream(InputType.values()).map(InputType::word).toList();

    private final Reading reading;

    Inputs(Reading reading) {
        this.reading = reading;
    }

    List<InputSpec> read(Fields flow) {
        Optional<SourceNode> node = flow.find("inputs");
        List<InputSpec> inputs = new ArrayList<>();
        if (node.isPresent()) {
            Fields fields = Fields.of(reading.problems(), node.get(), flow.path("inputs"), "inputs", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                inputs.add(input(entry.key(), entry.value(), fields.path(entry.key())));
            }
        }
        return inputs;
    }

    private InputSpec input(String name, SourceNode node, String path) {
        Fields fields = Fields.of(reading.problems(), node, path, "an input", KEYS);
        InputType type = type(fields);
        Optional<JsonValue> defaultValue = defaultValue(fields, type);
        boolean required = fields.bool("required").orElse(defaultValue.isEmpty());
        if (defaultValue.isEmpty()) {
            fields.refuse(List.of(EMPTY_MEANS_DEFAULT), "needs \"default\".", "Add default, or remove it.");
        }
        return new InputSpec(
                name,
                type,
                required,
                defaultValue,
                fields.text("description").orElse(""),
                defaultValue.isPresent() && fields.bool(EMPTY_MEANS_DEFAULT).orElse(false));
    }

    private InputType type(Fields fields) {
        Optional<String> word = fields.text("type");
        if (word.isEmpty()) {
            return InputType.ANY;
        }
        Optional<InputType> type = InputType.find(word.get());
        if (type.isEmpty()) {
            SourceNode node = fields.find("type").orElseThrow();
            reading.problem(
                    node.mark(),
                    fields.path("type"),
                    "\"" + word.get() + "\" is not a type.",
                    Nearest.didYouMean(word.get(), TYPES) + "Known types: " + String.join(", ", TYPES) + ".");
        }
        return type.orElse(InputType.ANY);
    }

    private Optional<JsonValue> defaultValue(Fields fields, InputType type) {
        Optional<SourceNode> node = fields.find("default");
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (!(Values.read(reading, fields, "default").template().orElseThrow() instanceof Template.Constant constant)) {
            reading.problem(
                    node.get().mark(),
                    fields.path("default"),
                    "A default cannot hold an expression.",
                    "Write the value itself, or give the input in the step that uses it.");
            return Optional.empty();
        }
        if (!type.accepts(constant.value())) {
            reading.problem(
                    node.get().mark(),
                    fields.path("default"),
                    "The default is " + constant.value().kind().phrase() + " (expected: " + type.phrase() + ").",
                    "Change the default or the type.");
        }
        return Optional.of(constant.value());
    }
}
