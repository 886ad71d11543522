package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;

/** A value inside a longer text: null adds nothing to it. */
record OrNothing(Expression value) implements Computed {
    private static final JsonValue NOTHING = JsonValue.ofString("");

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue found = value.evaluate(scope);
        return found.isNull() ? NOTHING : found;
    }

    @Override
    public Reads reads() {
        return value.reads();
    }
}
