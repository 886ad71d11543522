package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** The output of a poll after a response, as the condition of the poll reads it. */
enum PollOutput implements Computed {
    INSTANCE;

    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.result().map(Shape.RESPONSE::output).orElse(JsonValue.NULL);
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public String toString() {
        return "output";
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".poll_output").write();
    }
}
