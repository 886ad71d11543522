package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Whether an attempt failed for a reason other than its timeout. */
enum NotTimedOut implements Computed {
    INSTANCE;

    private static final String TIMED_OUT = "TimedOut";

    @Override
    public JsonValue evaluate(Scope scope) {
        boolean timedOut = scope.error()
                .map(error -> JsonObjects.member(error, "name"))
                .filter(name ->
                        name.kind() == JsonValue.Kind.STRING && name.string().equals(TIMED_OUT))
                .isPresent();
        return timedOut ? JsonValue.FALSE : JsonValue.TRUE;
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public String toString() {
        return "error.name != \"" + TIMED_OUT + "\"";
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".not_timed_out").write();
    }
}
