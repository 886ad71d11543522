package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;
import java.util.Map;

/** Parser for Conductor's evaluators: scripts over {@code $}, and names of parameters. */
final class Scripts {
    static final String VALUE_PARAM = "value-param";
    static final List<String> EVALUATORS = List.of(VALUE_PARAM, "javascript", "graaljs");

    private final Reading reading;
    private final Mark mark;
    private final String path;

    Scripts(Reading reading, Mark mark, String path) {
        this.reading = reading;
        this.mark = mark;
        this.path = path;
    }

    Expression javaScript(String source, Params params, Map<String, Binding> more) {
        return javaScript(source, params.scriptNames(more));
    }

    Expression javaScript(String source, Names names) {
        return read(JavaScript.read(source, names));
    }

    Expression read(ExpressionReading answer) {
        return switch (answer) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable -> {
                reading.problem(mark, path, unreadable.message(), unreadable.remedy());
                yield Composed.constant(JsonValue.NULL);
            }
        };
    }
}
