package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.Optional;

/** Member of an object; null if the object has no such member or the value is no object. */
record MemberOf(Expression holder, String name) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        return JsonObjects.member(holder.evaluate(scope), name);
    }

    @Override
    public Reads reads() {
        return holder.reads();
    }

    @Override
    public String toString() {
        return holder + "." + name;
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".member")
                .expression(holder)
                .text(name)
                .write();
    }
}
