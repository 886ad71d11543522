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
 * Whether a loop goes on by the value of its condition, which it does for {@code true} and for numbers above 0, and for nothing else.
 *
 * @param wanted the answer for which this is true
 */
record LoopGoesOn(Template condition, boolean wanted) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return goesOn(new Composed(condition).evaluate(scope)) == wanted ? JsonValue.TRUE : JsonValue.FALSE;
    }

    private static boolean goesOn(JsonValue value) {
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
