package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Outputs of the tasks of a dynamic fork by reference name, without tasks that have not ended. */
record ForkedOutputs(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return JsonObjects.of(outputs(scope));
    }

    Map<String, JsonValue> outputs(Scope scope) {
        Map<String, JsonValue> outputs = new LinkedHashMap<>();
        results(scope).forEach((task, result) -> outputs.put(task, Shape.OBJECT.output(result)));
        return outputs;
    }

    private Map<String, JsonValue> results(Scope scope) {
        Optional<JsonValue> result = scope.findStepResult(step);
        if (result.isPresent()) {
            return result.get().kind() == JsonValue.Kind.OBJECT ? result.get().members() : Map.of();
        }
        Map<String, JsonValue> ended = new LinkedHashMap<>();
        scope.findLoop(step)
                .ifPresent(loop -> loop.ended()
                        .forEach((task, output) ->
                                ended.put(reference(loop.items().get(task)), output)));
        return ended;
    }

    /** The reference names of all tasks, ended or not. */
    Collection<String> references(Scope scope) {
        return scope.findLoop(step)
                .<Collection<String>>map(loop ->
                        loop.items().stream().map(ForkedOutputs::reference).toList())
                .orElseGet(() -> results(scope).keySet());
    }

    private static String reference(JsonValue task) {
        JsonValue reference = JsonObjects.member(task, ForkedTask.REFERENCE);
        return reference.kind() == JsonValue.Kind.STRING ? reference.string() : "";
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
