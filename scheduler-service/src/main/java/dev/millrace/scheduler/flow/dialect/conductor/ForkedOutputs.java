package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The outputs of the tasks of a dynamic fork by their reference names. */
record ForkedOutputs(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, JsonValue> outputs = new LinkedHashMap<>();
        scope.findStepResult(step)
                .filter(result -> result.kind() == JsonValue.Kind.OBJECT)
                .ifPresent(result ->
                        result.members().forEach((task, forked) -> outputs.put(task, Shape.OBJECT.output(forked))));
        return JsonObjects.of(outputs);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_outputs")
                .text(step)
                .write();
    }
}
