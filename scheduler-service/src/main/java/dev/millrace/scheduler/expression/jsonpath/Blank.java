package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/** Value inside a text, where null becomes empty text. */
record Blank(Expression expression) implements Computed {
    private static final JsonValue NOTHING = JsonValue.ofString("");

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = expression.evaluate(scope);
        return value.isNull() ? NOTHING : value;
    }

    @Override
    public boolean isPlain() {
        return expression.isPlain();
    }

    @Override
    public Reads reads() {
        return expression.reads();
    }

    @Override
    public List<Path> paths() {
        return expression instanceof Computed computed ? computed.paths() : List.of();
    }

    @Override
    public Optional<String> text() {
        return new CallText(PathFunctions.FAMILY + ".or_nothing")
                .expression(expression)
                .write();
    }
}
