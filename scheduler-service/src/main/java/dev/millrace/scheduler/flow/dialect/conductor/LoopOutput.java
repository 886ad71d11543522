package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a loop that has ended: {@code {"iteration": n, "1": {task: output, …}, …}}; null if the loop did not run.
 */
record LoopOutput(String step) implements Computed {
    static final String ITERATION = "iteration";

    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.findStepResult(step).map(LoopOutput::of).orElse(JsonValue.NULL);
    }

    private static JsonValue of(JsonValue result) {
        return switch (result.kind()) {
            case ARRAY -> ofIterations(result.elements());
            case OBJECT -> Shape.isToleratedFailure(result) ? result : ofNumbered(result.members());
            case STRING, NUMBER, BOOLEAN, NULL -> JsonValue.NULL;
        };
    }

    private static JsonValue ofIterations(List<JsonValue> iterations) {
        Map<String, JsonValue> output = new LinkedHashMap<>();
        output.put(ITERATION, JsonValue.of(iterations.size()));
        for (int i = 0; i < iterations.size(); i++) {
            output.put(Integer.toString(i + 1), iterations.get(i));
        }
        return JsonObjects.of(output);
    }

    /**
     * Makes the output from numbered iterations. If only the last ones are kept, the highest number is still that of
     * the last iteration.
     */
    private static JsonValue ofNumbered(Map<String, JsonValue> iterations) {
        Map<String, JsonValue> output = new LinkedHashMap<>();
        int last =
                iterations.keySet().stream().mapToInt(Integer::parseInt).max().orElse(0);
        output.put(ITERATION, JsonValue.of(last));
        output.putAll(iterations);
        return JsonObjects.of(output);
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
        return new CallText(ConductorFunctions.FAMILY + ".loop_output")
                .text(step)
                .write();
    }
}
