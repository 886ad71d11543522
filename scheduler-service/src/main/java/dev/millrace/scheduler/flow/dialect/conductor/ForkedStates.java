package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * State of a dynamic fork for the script of a join: the reference names in {@code joinOn}, and each task with its
 * status and output.
 */
record ForkedStates(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, JsonValue> states = new LinkedHashMap<>();
        List<JsonValue> names = new ArrayList<>();
        ForkedOutputs forked = new ForkedOutputs(step);
        Map<String, JsonValue> outputs = forked.outputs(scope);
        for (String task : forked.references(scope)) {
            names.add(JsonValue.ofString(task));
            states.put(task, state(outputs.get(task)));
        }
        states.put("joinOn", JsonObjects.array(names));
        return JsonObjects.of(states);
    }

    private static JsonValue state(@Nullable JsonValue output) {
        Map<String, JsonValue> state = new LinkedHashMap<>();
        state.put("status", output == null ? StatusSoFar.IN_PROGRESS : TaskStatus.of(output));
        state.put("outputData", output == null ? JsonValue.EMPTY_OBJECT : output);
        return JsonObjects.of(state);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_states")
                .text(step)
                .write();
    }
}
