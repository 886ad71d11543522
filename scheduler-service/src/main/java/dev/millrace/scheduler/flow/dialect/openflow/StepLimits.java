package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction.Limit;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads {@code concurrent_limit} of a script, with {@code concurrency_time_window_s} and {@code custom_concurrency_key}: so many at a time and,
 * where there is a time, so many that begin in it.
 */
final class StepLimits {
    static final List<String> KEYS = List.of("concurrent_limit", "concurrency_time_window_s", "custom_concurrency_key");

    private final Reading reading;
    private final Fields script;

    StepLimits(Reading reading, Fields script) {
        this.reading = reading;
        this.script = script;
    }

    /** @param input what the arguments of the script are */
    Optional<Limit> read(Template input) {
        Optional<Template> key = script.text("custom_concurrency_key")
                .filter(text -> !text.isEmpty())
                .map(text -> KeyTexts.read(text, name -> argument(input, name)));
        Optional<Duration> window = Concurrencies.window(script);
        return Concurrencies.max(script, window)
                .map(count -> new Limit(key, OptionalInt.of(count), window.map(per -> new Rate(count, per))));
    }

    private Template.Part argument(Template input, String name) {
        return switch (input) {
            case Template.Constant(JsonValue constant) ->
                literal(constant.members().getOrDefault(name, JsonValue.NULL));
            case Template.Members object ->
                switch (object.members().getOrDefault(name, Template.Constant.NULL)) {
                    case Template.Constant(JsonValue constant) -> literal(constant);
                    case Template.Whole(Expression expression) -> new Template.Part.Embedded(expression);
                    case Template.Text _, Template.Members _, Template.Elements _ -> unusable(name);
                };
            case Template.Whole _, Template.Text _, Template.Elements _ -> unusable(name);
        };
    }

    private static Template.Part literal(JsonValue value) {
        return new Template.Part.Literal(value.kind() == JsonValue.Kind.STRING ? value.string() : value.toString());
    }

    private Template.Part unusable(String name) {
        reading.problem(
                script.find("custom_concurrency_key").orElseThrow().mark(),
                script.path("custom_concurrency_key"),
                "The argument \"" + name + "\" cannot stand in a key.",
                "Name an argument with a static value or an expression of its own.");
        return new Template.Part.Literal("");
    }
}
