package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** The path of the flow that a workflow of this name is; what is no text stays as it is. */
record FlowPath(Expression name) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = name.evaluate(scope);
        return value.kind() == JsonValue.Kind.STRING ? JsonValue.ofString(WorkflowNames.path(value.string())) : value;
    }

    @Override
    public Reads reads() {
        return name.reads();
    }

    @Override
    public String toString() {
        return "path of " + name;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".flow_path")
                .expression(name)
                .write();
    }
}
