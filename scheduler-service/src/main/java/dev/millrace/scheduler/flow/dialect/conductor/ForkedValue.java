package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Result of a dynamically forked task that needs no worker. Its script or query is part of its input and is therefore
 * parsed only at run time.
 */
record ForkedValue() implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue task = scope.item();
        return TaskValue.of(type(task), JsonObjects.member(task, ForkedTask.INPUT), scope);
    }

    private static TaskType type(JsonValue task) {
        JsonValue target = JsonObjects.member(task, ForkedTask.TARGET);
        return (target.kind() == JsonValue.Kind.STRING ? TaskType.find(target.string()) : Optional.<TaskType>empty())
                .orElseThrow(() -> new EvaluationFailed("The item is not a task of a dynamic fork."));
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_value").write();
    }
}
