package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Status of a task that may still run.
 *
 * @param step the step whose end is the end of the task: its own, or that of the switch around it
 * @param status status once the task has ended
 */
record StatusSoFar(String step, Expression status) implements Computed {
    static final JsonValue IN_PROGRESS = JsonValue.ofString("IN_PROGRESS");

    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.findStepResult(step).isPresent() ? status.evaluate(scope) : IN_PROGRESS;
    }

    @Override
    public Reads reads() {
        return Reads.step(step).and(status.reads());
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".status_so_far")
                .text(step)
                .expression(status)
                .write();
    }
}
