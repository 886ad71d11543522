package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.Optional;

/** Reader of texts of a script in which {@code $args[name]} stands for an argument of the script. */
final class ArgumentTexts {
    private final Reading reading;
    private final Fields script;
    private final Template input;

    /**
     * Creates a reader for the texts of one script.
     *
     * @param input arguments of the script
     */
    ArgumentTexts(Reading reading, Fields script, Template input) {
        this.reading = reading;
        this.script = script;
        this.input = input;
    }

    /** Finds the text of a key; empty if the text is absent or empty. */
    Optional<Template> find(String key) {
        return script.text(key)
                .filter(text -> !text.isEmpty())
                .map(text -> KeyTexts.read(text, name -> argument(key, name)));
    }

    private Template.Part argument(String key, String name) {
        return switch (input) {
            case Template.Constant(JsonValue constant) ->
                literal(constant.members().getOrDefault(name, JsonValue.NULL));
            case Template.Members object ->
                switch (object.members().getOrDefault(name, Template.Constant.NULL)) {
                    case Template.Constant(JsonValue constant) -> literal(constant);
                    case Template.Whole(Expression expression) -> new Template.Part.Embedded(expression);
                    case Template.Text _, Template.Members _, Template.Elements _ -> unusable(key, name);
                };
            case Template.Whole _, Template.Text _, Template.Elements _ -> unusable(key, name);
        };
    }

    private static Template.Part literal(JsonValue value) {
        return new Template.Part.Literal(value.kind() == JsonValue.Kind.STRING ? value.string() : value.toString());
    }

    private Template.Part unusable(String key, String name) {
        reading.problem(
                script.find(key).orElseThrow().mark(),
                script.path(key),
                "The argument \"" + name + "\" cannot stand in \"" + key + "\".",
                "Name an argument with a static value or an expression of its own.");
        return new Template.Part.Literal("");
    }
}
