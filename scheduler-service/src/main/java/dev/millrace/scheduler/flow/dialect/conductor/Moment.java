package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Time of evaluation, in milliseconds since 1970. */
record Moment() implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.now().isPresent() ? JsonValue.of(scope.now().getAsLong()) : JsonValue.NULL;
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
        return new CallText(ConductorFunctions.FAMILY + ".moment").write();
    }
}
