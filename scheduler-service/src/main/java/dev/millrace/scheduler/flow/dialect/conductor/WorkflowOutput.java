package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Map;
import java.util.Optional;

/** Output with which a TERMINATE task ends the workflow; always an object. */
record WorkflowOutput(Expression output) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = output.evaluate(scope);
        return switch (value.kind()) {
            case OBJECT -> value;
            case NULL -> JsonValue.EMPTY_OBJECT;
            case ARRAY, STRING, NUMBER, BOOLEAN -> JsonObjects.of(Map.of("output", value));
        };
    }

    @Override
    public Reads reads() {
        return output.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".workflow_output")
                .expression(output)
                .write();
    }
}
