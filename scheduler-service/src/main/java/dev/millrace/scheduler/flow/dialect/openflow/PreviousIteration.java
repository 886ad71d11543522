package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Result of the previous iteration of a {@code whileloopflow}.
 *
 * @param first value in the first iteration
 * @param outward number of loops between the expression and that loop
 */
record PreviousIteration(Expression first, int outward) implements Computed {
    /** The value of an expression as it is read inside one more loop. */
    static Expression insideLoop(Expression value) {
        return value instanceof PreviousIteration(Expression first, int outward)
                ? new PreviousIteration(insideLoop(first), outward + 1)
                : value;
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return scope.index(outward) > 0 ? scope.item(outward).orElse(JsonValue.NULL) : first.evaluate(scope);
    }

    @Override
    public boolean isPlain() {
        return first.isPlain();
    }

    @Override
    public List<Path> paths() {
        return switch (first) {
            case Path path -> List.of(path);
            case Computed computed -> computed.paths();
        };
    }

    @Override
    public Reads reads() {
        return first.reads();
    }

    @Override
    public String toString() {
        return "result of the previous iteration";
    }

    @Override
    public Optional<String> text() {
        return new CallText(OpenFlowFunctions.FAMILY + ".previous_iteration")
                .expression(first)
                .number(outward)
                .write();
    }
}
