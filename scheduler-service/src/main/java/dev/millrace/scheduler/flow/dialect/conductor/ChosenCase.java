package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a SWITCH or DECISION task: the text that selected the case.
 *
 * @param value the text
 * @param decision whether the task is a DECISION, whose output has other names
 */
record ChosenCase(Expression value, boolean decision) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue text = value.evaluate(scope);
        JsonValue array = JsonObjects.array(List.of(text));
        if (decision) {
            return JsonObjects.of(Map.of("caseOutput", array));
        }
        Map<String, JsonValue> output = new LinkedHashMap<>();
        output.put("evaluationResult", array);
        output.put("selectedCase", text);
        return JsonObjects.of(output);
    }

    @Override
    public Reads reads() {
        return value.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".chosen_case")
                .expression(value)
                .flag(decision)
                .write();
    }
}
