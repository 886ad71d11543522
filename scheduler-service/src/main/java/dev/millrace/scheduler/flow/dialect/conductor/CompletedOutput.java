package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a task that was completed from outside: the output of its work, overridden by the members of the
 * completion.
 */
record CompletedOutput(Expression work, Expression completion) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, JsonValue> output = new LinkedHashMap<>(work.evaluate(scope).members());
        output.putAll(completion.evaluate(scope).members());
        return JsonObjects.of(output);
    }

    @Override
    public Reads reads() {
        return work.reads().and(completion.reads());
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".completed_output")
                .expression(work)
                .expression(completion)
                .write();
    }
}
