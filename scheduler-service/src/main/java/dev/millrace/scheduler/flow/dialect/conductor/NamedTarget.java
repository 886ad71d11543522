package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Target of a task whose name is known only at run time: the script with that name if there is one, otherwise the
 * handler.
 *
 * @param scripts paths of the scripts by task name
 */
record NamedTarget(Expression name, Map<String, String> scripts) implements Computed {
    NamedTarget {
        scripts = Map.copyOf(scripts);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = name.evaluate(scope);
        if (value.kind() != JsonValue.Kind.STRING) {
            throw new EvaluationFailed(
                    "The name of the task to run is " + value.kind().phrase() + " (expected: a string).");
        }
        return JsonValue.ofString(of(value.string(), scripts));
    }

    static String of(String name, Map<String, String> scripts) {
        String script = scripts.get(name);
        return script == null ? WorkerTasks.HANDLER_PREFIX + name : script;
    }

    @Override
    public Reads reads() {
        return name.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".target")
                .expression(name)
                .value(json(scripts))
                .write();
    }

    /** Writes names and paths as a JSON object. */
    static JsonValue json(Map<String, String> scripts) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        new TreeMap<>(scripts).forEach((name, path) -> members.put(name, JsonValue.ofString(path)));
        return JsonObjects.of(members);
    }
}
