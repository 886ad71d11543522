package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Output of a task of a loop in one iteration, read from outside the loop; null if the task did not run in that
 * iteration.
 *
 * @param loop the output of the loop
 * @param number of the iteration, from 1; absent for the last one
 * @param task reference name of the task
 */
record IterationOutput(Expression loop, OptionalInt number, String task) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue output = loop.evaluate(scope);
        String iteration = number.isPresent()
                ? Integer.toString(number.getAsInt())
                : JsonObjects.member(output, LoopOutput.ITERATION).toString();
        return JsonObjects.member(JsonObjects.member(output, iteration), task);
    }

    @Override
    public Reads reads() {
        return loop.reads();
    }

    @Override
    public String toString() {
        return task + (number.isPresent() ? "__" + number.getAsInt() : "") + ".output";
    }

    @Override
    public Optional<String> text() {
        CallText call = new CallText(ConductorFunctions.FAMILY + ".iteration_output")
                .expression(loop)
                .text(task);
        number.ifPresent(call::number);
        return call.write();
    }
}
