package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;
import java.util.UUID;

/** Time at which the run was submitted, in milliseconds since 1970, taken from the id of the run. */
record RunCreated() implements Computed {
    /** The upper 48 bits of a version 7 UUID are the time. */
    private static final int TIME_SHIFT = 16;

    @Override
    public JsonValue evaluate(Scope scope) {
        return JsonValue.of(UUID.fromString(scope.runId()).getMostSignificantBits() >>> TIME_SHIFT);
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
        return new CallText(ConductorFunctions.FAMILY + ".run_created").write();
    }
}
