package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a join, without tasks whose output is empty. Evaluation fails if a permissive task failed.
 *
 * @param tasks outputs of the tasks by reference name
 * @param inLoop whether the number of the iteration follows each name, as in {@code task__2}
 * @param permissive reference names of tasks whose failure fails the join, but only after all tasks have ended
 */
record JoinOutput(Expression tasks, boolean inLoop, List<String> permissive) implements Computed {
    JoinOutput {
        permissive = List.copyOf(permissive);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue outputs = tasks.evaluate(scope);
        for (String task : permissive) {
            JsonValue output = JsonObjects.member(outputs, task);
            if (Shape.isToleratedFailure(output)) {
                JsonValue message = JsonObjects.member(JsonObjects.member(output, "error"), "message");
                throw new EvaluationFailed(
                        JoinEnd.FAILED, "Task \"" + task + "\", which is permissive, failed: " + message.string());
            }
        }
        String suffix = inLoop ? "__" + (scope.index() + 1L) : "";
        Map<String, JsonValue> joined = new LinkedHashMap<>();
        outputs.members().forEach((task, output) -> {
            if (!output.equals(JsonValue.EMPTY_OBJECT)) {
                joined.put(task + suffix, output);
            }
        });
        return JsonObjects.of(joined);
    }

    @Override
    public Reads reads() {
        return tasks.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".join_output")
                .expression(tasks)
                .flag(inLoop)
                .texts(permissive)
                .write();
    }
}
