package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Id of the job whose input contains this expression; null in the input of a step that is not a job. */
record OwnJobId() implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.jobId().map(JsonValue::ofString).orElse(JsonValue.NULL);
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
        return new CallText(ConductorFunctions.FAMILY + ".job_id").write();
    }
}
