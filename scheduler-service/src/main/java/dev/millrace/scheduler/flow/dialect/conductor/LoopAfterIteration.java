package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a loop for its own condition after an iteration: the number of the iteration and the outputs of its tasks.
 *
 * @param overItems whether the loop iterates over an array, so that the output has the item and its index
 */
record LoopAfterIteration(boolean overItems) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        long number = scope.index() + 1L;
        Map<String, JsonValue> output = new LinkedHashMap<>();
        output.put(LoopOutput.ITERATION, JsonValue.of(number));
        if (overItems) {
            output.put(LoopProgress.INDEX, JsonValue.of(scope.index()));
            output.put(LoopProgress.ITEM, scope.item());
        }
        output.put(Long.toString(number), scope.result().orElse(JsonValue.EMPTY_OBJECT));
        return JsonObjects.of(output);
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".loop_after_iteration")
                .flag(overItems)
                .write();
    }
}
