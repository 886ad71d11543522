package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** The id of the job whose input this is in; null in the input of what is no job. */
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
