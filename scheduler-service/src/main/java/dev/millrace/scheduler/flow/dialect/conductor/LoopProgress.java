package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a loop as read by a task inside it: the number of the iteration, from 1, with the outputs of the previous
 * iteration. In a loop over items, the output has the item and its index instead.
 *
 * @param outward 0 for the innermost loop around the task, 1 for the next loop outward, and so on
 * @param overItems whether the loop iterates over an array
 */
record LoopProgress(int outward, boolean overItems) implements Computed {
    static final String INDEX = "loopIndex";
    static final String ITEM = "loopItem";

    @Override
    public JsonValue evaluate(Scope scope) {
        int index = outward == 0 ? scope.index() : scope.index(outward);
        JsonValue item = new Root.Item(outward).value(scope);
        Map<String, JsonValue> output = new LinkedHashMap<>();
        output.put(LoopOutput.ITERATION, JsonValue.of(index + 1L));
        if (overItems) {
            output.put(INDEX, JsonValue.of(index));
            output.put(ITEM, item);
        } else if (!item.isNull()) {
            output.put(Integer.toString(index), item);
        }
        return JsonObjects.of(output);
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public String toString() {
        return "outer.".repeat(outward) + "loop.output";
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".loop_progress")
                .number(outward)
                .flag(overItems)
                .write();
    }
}
