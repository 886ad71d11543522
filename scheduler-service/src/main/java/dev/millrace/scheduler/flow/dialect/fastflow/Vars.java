package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of {@code vars}: optional text inputs with a default, which also replaces an empty text. */
final class Vars {
    private static final List<String> KEYS = List.of("desc", "defaultValue");

    private final Problems problems;

    Vars(Problems problems) {
        this.problems = problems;
    }

    List<InputSpec> read(Fields flow) {
        List<InputSpec> vars = new ArrayList<>();
        Optional<SourceNode> node = flow.find("vars");
        if (node.isPresent()) {
            Fields fields = Fields.of(problems, node.get(), "vars", "vars", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                Fields var = Fields.of(problems, entry.value(), fields.path(entry.key()), "a variable", KEYS);
                vars.add(new InputSpec(
                        entry.key(),
                        InputType.STRING,
                        false,
                        Optional.of(JsonValue.ofString(scalar(var, "defaultValue"))),
                        var.text("desc").orElse(""),
                        true));
            }
        }
        return vars;
    }

    /** Reads a text. An unquoted number or boolean becomes text, as when Go's YAML decodes it into a string. */
    private static String scalar(Fields fields, String key) {
        return fields.find(key)
                .filter(node -> node instanceof SourceNode.Literal literal
                        && !literal.value().isNull())
                .map(SourceNode::shown)
                .or(() -> fields.text(key))
                .orElse("");
    }
}
