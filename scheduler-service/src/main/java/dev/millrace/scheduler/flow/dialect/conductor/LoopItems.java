package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/** Items of a loop: the given array, no items for null, or any other value as the only item. */
record LoopItems(Expression given) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = given.evaluate(scope);
        return switch (value.kind()) {
            case ARRAY -> value;
            case NULL -> JsonValue.EMPTY_ARRAY;
            case OBJECT, STRING, NUMBER, BOOLEAN -> JsonObjects.array(List.of(value));
        };
    }

    @Override
    public boolean isPlain() {
        return given.isPlain();
    }

    @Override
    public Reads reads() {
        return given.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".loop_items")
                .expression(given)
                .write();
    }
}
