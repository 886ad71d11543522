package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Data that the tasks of a run share: the {@code shareData} members in the results of the tasks that have ended. If
 * several tasks set the same key, the last task in the definition wins.
 *
 * @param tasks in the order of the definition
 */
record SharedData(List<String> tasks) implements Computed {
    static final String MEMBER = "shareData";

    SharedData {
        tasks = List.copyOf(tasks);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        Map<String, Template> data = new LinkedHashMap<>();
        for (String task : tasks) {
            scope.findStepResult(task)
                    .filter(result -> result.kind() == JsonValue.Kind.OBJECT)
                    .map(result -> result.members().getOrDefault(MEMBER, JsonValue.NULL))
                    .filter(shared -> shared.kind() == JsonValue.Kind.OBJECT)
                    .ifPresent(shared ->
                            shared.members().forEach((key, value) -> data.put(key, new Template.Constant(value))));
        }
        return new Composed(new Template.Members(data)).evaluate(scope);
    }

    @Override
    public Reads reads() {
        return new Reads(Set.copyOf(tasks), false);
    }

    @Override
    public Optional<String> text() {
        return new CallText(FastflowFunctions.FAMILY + ".shared").texts(tasks).write();
    }
}
