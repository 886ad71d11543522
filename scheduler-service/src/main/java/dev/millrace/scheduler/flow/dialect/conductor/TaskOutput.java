package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * The output of a task: {@code ref.output}. Null where the task has not run.
 *
 * @param step id of its step
 * @param conditional whether it stands in a branch that may not be taken, so that a result of null means that it was not
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
