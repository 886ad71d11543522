package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Output of one task of a dynamic fork, read inside the fork. It is the result of the step in the shape for the type of
 * the task.
 */
record ForkedOutput(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue result = scope.findStepResult(step).orElse(JsonValue.NULL);
        JsonValue shape = JsonObjects.member(scope.item(), ForkedTask.SHAPE);
        return shape.kind() == JsonValue.Kind.STRING
                ? Shape.valueOf(shape.string()).output(result)
                : Shape.OBJECT.output(result);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_output")
                .text(step)
                .write();
    }
}
