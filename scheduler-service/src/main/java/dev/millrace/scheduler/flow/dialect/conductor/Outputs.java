package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Outputs of several tasks by reference name, without tasks that did not run. */
record Outputs(Map<String, Expression> tasks) implements Computed {
    Outputs {
        tasks = Collections.unmodifiableMap(new LinkedHashMap<>(tasks));
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, JsonValue> outputs = new LinkedHashMap<>();
        tasks.forEach((task, output) -> {
            JsonValue value = output.evaluate(scope);
            if (!value.isNull()) {
                outputs.put(task, value);
            }
        });
        return JsonObjects.of(outputs);
    }

    @Override
    public Reads reads() {
        return tasks.values().stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".outputs")
                .members(tasks)
                .write();
    }
}
