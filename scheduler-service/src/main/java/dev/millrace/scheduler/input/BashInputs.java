package dev.millrace.scheduler.input;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.text.bash.BashParameter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes the schema of a script in Bash: each input becomes a variable, and positions with names must be there. */
final class BashInputs {
    private static final Pattern INPUT_NAME = Pattern.compile(BashParameter.INPUT_NAME);

    /** A default that Bash does not change before it uses it. */
    private static final Pattern PLAIN = Pattern.compile("[\\w.,:/@%+=-]*(?: [\\w.,:/@%+=-]+)*");

    private BashInputs() {}

    /** The schema; empty if the names of the parameters cannot be those of inputs, which the job says. */
    static Optional<ObjectNode> schema(List<BashParameter> parameters) {
        ObjectNode schema = DeclaredSchemas.object(JsonNodeFactory.instance.objectNode());
        ObjectNode properties = schema.putObject("properties");
        for (BashParameter parameter : parameters) {
            if (parameter.name().isEmpty()) {
                continue;
            }
            if (!INPUT_NAME.matcher(parameter.name()).matches()) {
                return Optional.empty();
            }
            // Any value becomes a text.
            ObjectNode property = properties.putObject(parameter.name()).put("contentMediaType", "text/plain");
            parameter
                    .defaultValue()
                    .filter(value -> PLAIN.matcher(value).matches())
                    .ifPresent(value -> property.put("default", value));
            if (!parameter.isOptional()) {
                schema.withArray("required").add(parameter.name());
            }
        }
        schema.putObject("propertyNames").put("pattern", "^" + BashParameter.INPUT_NAME + "$");
        return Optional.of(schema);
    }
}
