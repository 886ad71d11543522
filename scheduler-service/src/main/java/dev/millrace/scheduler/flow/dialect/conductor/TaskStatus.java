package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Status of a task that has ended, {@code ref.status}; null if the task did not run.
 *
 * @param permissive whether a failure of the task is tolerated only until the workflow ends
 */
record TaskStatus(String step, boolean conditional, boolean permissive) implements Computed {
    private static final JsonValue COMPLETED = JsonValue.ofString("COMPLETED");
    private static final JsonValue FAILED = JsonValue.ofString("FAILED");
    static final JsonValue COMPLETED_WITH_ERRORS = JsonValue.ofString("COMPLETED_WITH_ERRORS");

    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.findStepResult(step)
                .filter(result -> !(conditional && result.isNull()))
                .map(result -> permissive && Shape.isToleratedFailure(result) ? FAILED : of(result))
                .orElse(JsonValue.NULL);
    }

    /** The status of a task with the given result. */
    static JsonValue of(JsonValue result) {
        return Shape.isToleratedFailure(result) ? COMPLETED_WITH_ERRORS : COMPLETED;
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public String toString() {
        return step + ".status";
    }

    @Override
    public Optional<String> text() {
        CallText call =
                new CallText(ConductorFunctions.FAMILY + ".status").text(step).flag(conditional);
        return (permissive ? call.flag(true) : call).write();
    }
}
