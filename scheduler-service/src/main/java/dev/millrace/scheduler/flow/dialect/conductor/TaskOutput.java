package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Output of a task, {@code ref.output}; null if the task did not run.
 *
 * @param step id of its step
 * @param conditional whether the task is in a branch that may be skipped, so that a null result means that it did not
 *     run
 */
record TaskOutput(String step, Shape shape, boolean conditional) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.findStepResult(step)
                .filter(result -> !(conditional && result.isNull()))
                .map(shape::output)
                .orElse(JsonValue.NULL);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public String toString() {
        return step + ".output";
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".output")
                .text(step)
                .word(shape)
                .flag(conditional)
                .write();
    }
}
