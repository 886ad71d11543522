package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * The status of a task that need not have ended.
 *
 * @param step the step that tells whether it has: its own, or that of the switch around it
 * @param status once it has
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
