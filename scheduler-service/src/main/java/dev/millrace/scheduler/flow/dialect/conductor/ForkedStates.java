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

/** What the script of a join sees of a dynamic fork: the reference names in {@code joinOn}, and each task with its status and output. */
record ForkedStates(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, JsonValue> states = new LinkedHashMap<>();
        List<JsonValue> names = new ArrayList<>();
        new ForkedOutputs(step).evaluate(scope).members().forEach((task, output) -> {
            names.add(JsonValue.ofString(task));
            states.put(task, JsonObjects.of(Map.of("status", TaskStatus.of(output), "outputData", output)));
        });
        states.put("joinOn", JsonObjects.array(names));
        return JsonObjects.of(states);
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
