package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import java.util.List;
import java.util.Optional;

/**
 * Whether a loop continues. It does if the value of its condition is {@code true} or a number above 0, and for no other
 * value.
 *
 * @param wanted the decision for which this expression is true
 */
record LoopGoesOn(Template condition, boolean wanted) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return continues(new Composed(condition).evaluate(scope)) == wanted ? JsonValue.TRUE : JsonValue.FALSE;
    }

    private static boolean continues(JsonValue value) {
        return switch (value.kind()) {
            case BOOLEAN -> value.isTruthy();
            case NUMBER -> Double.parseDouble(value.toString()) > 0;
            case OBJECT, ARRAY, STRING, NULL -> false;
        };
    }

    @Override
    public boolean isPlain() {
        return condition.isPlain();
    }

    @Override
    public Reads reads() {
        return new Composed(condition).reads();
    }

    @Override
    public List<Path> paths() {
        return new Composed(condition).paths();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".loop_goes_on")
                .expression(new Composed(condition))
                .flag(wanted)
                .write();
    }
}
