package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Output of a sub-workflow with the id of the run that has its steps; null if the task did not run. The id is that of
 * this run, unless the result has another.
 */
record SubWorkflowOutput(String step, boolean conditional) implements Computed {
    /** Member with the id of the run. */
    static final String ID = "subWorkflowId";

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue output = new TaskOutput(step, Shape.OBJECT, conditional).evaluate(scope);
        if (output.isNull() || Shape.isToleratedFailure(output)) {
            return output;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(ID, JsonValue.ofString(scope.runId()));
        members.putAll(output.members());
        return JsonObjects.of(members);
    }

    @Override
    public Reads reads() {
        return Reads.step(step);
    }

    @Override
    public String toString() {
        return step + ".output";
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".sub_workflow_output")
                .text(step)
                .flag(conditional)
                .write();
    }
}
