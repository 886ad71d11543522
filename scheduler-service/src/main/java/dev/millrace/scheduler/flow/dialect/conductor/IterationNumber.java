package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/**
 * Number of the current iteration, from 1.
 *
 * @param outward number of loops to skip, as in {@link LoopProgress}
 */
record IterationNumber(int outward) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return JsonValue.of(1L + (outward == 0 ? scope.index() : scope.index(outward)));
    }

    @Override
    public Reads reads() {
        return Reads.NOTHING;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".iteration")
                .number(outward)
                .write();
    }
}
