package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Optional;

/** Reads {@code stop_after_if} and {@code stop_after_all_iters_if}: an early end of the loop around, or of the flow. */
final class Stops {
    private static final List<String> KEYS = List.of("expr", "skip_if_stopped", "error_message");

    private final Reading reading;
    private final Expressions expressions;

    Stops(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    static Fields fields(Reading reading, SourceNode node, String path) {
        Fields fields = reading.fields(node, path, "an early stop", KEYS);
        fields.bool("skip_if_stopped");
        return fields;
    }

    Optional<StepPolicy.Stop> find(Fields module, String key) {
        return module.find(key).flatMap(node -> {
            Fields stop = fields(reading, node, module.path(key));
            return expressions
                    .required(stop, expressions.sight().afterSuccess())
                    .map(when -> new StepPolicy.Stop(
                            when, failure(stop), expressions.sight().beside().extent()));
        });
    }

    private Optional<Template> failure(Fields stop) {
        return stop.text("error_message")
                .map(message ->
                        message.isEmpty() ? "Step \"" + expressions.step() + "\" stopped the flow early." : message)
                .map(message -> new Template.Constant(JsonValue.ofString(message)));
    }
}
