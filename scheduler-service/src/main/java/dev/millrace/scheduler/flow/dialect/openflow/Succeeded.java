package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Whether a step has run and succeeded, as opposed to skipped, or failed although the flow continues. */
record Succeeded(String step) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.hasSucceeded(step) ? JsonValue.TRUE : JsonValue.FALSE;
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public String toString() {
        return step + " has succeeded";
    }

    @Override
    public Optional<String> text() {
        return new CallText(OpenFlowFunctions.FAMILY + ".succeeded").text(step).write();
    }
}
