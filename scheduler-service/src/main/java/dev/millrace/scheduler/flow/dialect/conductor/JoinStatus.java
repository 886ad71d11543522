package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Status of a join that has ended, including failures of optional tasks in its output; null if the join did not run.
 */
record JoinStatus(String step, boolean conditional) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.findStepResult(step)
                .filter(result -> !(conditional && result.isNull()))
                .map(JoinStatus::of)
                .orElse(JsonValue.NULL);
    }

    private static JsonValue of(JsonValue result) {
        boolean hasErrors = result.kind() == JsonValue.Kind.OBJECT
                && result.members().values().stream().anyMatch(Shape::isToleratedFailure);
        return hasErrors ? TaskStatus.COMPLETED_WITH_ERRORS : TaskStatus.of(result);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".join_status")
                .text(step)
                .flag(conditional)
                .write();
    }
}
