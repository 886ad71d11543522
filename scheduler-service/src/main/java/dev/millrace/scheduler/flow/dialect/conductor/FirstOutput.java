package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/** Output of the first of several tasks that ran; an empty object if none did. */
record FirstOutput(List<Expression> tasks) implements Computed {
    FirstOutput {
        tasks = List.copyOf(tasks);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return tasks.stream()
                .map(task -> task.evaluate(scope))
                .filter(output -> !output.isNull())
                .findFirst()
                .orElse(JsonValue.EMPTY_OBJECT);
    }

    @Override
    public Reads reads() {
        return tasks.stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".first")
                .expressions(tasks)
                .write();
    }
}
