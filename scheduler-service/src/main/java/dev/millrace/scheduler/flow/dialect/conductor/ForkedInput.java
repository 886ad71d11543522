package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Input of a job of a dynamic fork, as given to the fork. Each reference to the task id is replaced by the id of the
 * job.
 */
record ForkedInput() implements Computed {
    private static final String ID = "${" + WorkflowReferences.TASK_ID + "}";

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue input = JsonObjects.member(scope.item(), ForkedTask.INPUT);
        String text = input.text();
        return text.contains(ID) ? JsonValue.of(text.replace(ID, scope.jobId().orElse(""))) : input;
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".forked_input").write();
    }
}
