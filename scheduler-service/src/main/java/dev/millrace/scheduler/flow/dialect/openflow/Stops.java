package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of {@code stop_after_if} and {@code stop_after_all_iters_if}: early ends of the surrounding loop or of the
 * flow.
 */
final class Stops {
    static final String MESSAGE = "error_message";
    static final String WITH_RESULT = "error_include_result";

    private static final String SKIP = "skip_if_stopped";
    private static final List<String> KEYS = List.of("expr", SKIP, MESSAGE, WITH_RESULT);

    private final Reading reading;
    private final Expressions expressions;

    Stops(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    static Fields fields(Reading reading, SourceNode node, String path) {
        Fields fields = reading.fields(node, path, "an early stop", KEYS);
        fields.bool(SKIP);
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
        boolean withResult = stop.bool(WITH_RESULT).orElse(false);
        Optional<String> message = stop.text(MESSAGE);
        if (stop.bool(SKIP).orElse(false)) {
            stop.ignore(
                    List.of(MESSAGE, WITH_RESULT),
                    "has no effect beside skip_if_stopped, as in Windmill: the flow ends without a failure.",
                    "Remove one of the two.");
            return Optional.empty();
        }
        return message.map(text -> {
            Map<String, Template> error = new LinkedHashMap<>();
            error.put("name", text("EarlyStopError"));
            error.put(
                    "message",
                    text(text.isEmpty() ? "stop after if: " + stop.text("expr").orElse("") : text));
            if (withResult) {
                error.put("result", new Template.Whole(new Path(new Root.Result())));
            }
            return Template.object(error);
        });
    }

    private static Template text(String text) {
        return new Template.Constant(JsonValue.ofString(text));
    }
}
