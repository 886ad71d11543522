package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Output of a task in any one iteration of a loop that has ended; null if the task ran in none.
 *
 * @param loop the output of the outermost loop
 * @param names the loops inside it, from the outside in, followed by the task
 */
record RanInLoop(Expression loop, List<String> names) implements Computed {
    RanInLoop {
        names = List.copyOf(names);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return find(loop.evaluate(scope), 0);
    }

    private JsonValue find(JsonValue output, int depth) {
        if (output.kind() != JsonValue.Kind.OBJECT) {
            return JsonValue.NULL;
        }
        for (JsonValue iteration : output.members().values()) {
            JsonValue inner = JsonObjects.member(iteration, names.get(depth));
            JsonValue found = depth + 1 == names.size() ? inner : find(inner, depth + 1);
            if (!found.isNull()) {
                return found;
            }
        }
        return JsonValue.NULL;
    }

    @Override
    public Reads reads() {
        return loop.reads();
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".ran_in_loop")
                .expression(loop)
                .texts(names)
                .write();
    }
}
