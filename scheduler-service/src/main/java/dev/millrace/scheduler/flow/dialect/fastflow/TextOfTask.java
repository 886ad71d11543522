package dev.millrace.scheduler.flow.dialect.fastflow;

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
 * A text with actions in double braces, and what its names stand for.
 *
 * @param source as it is written
 * @param vars variables of the flow
 * @param tasks tasks that may put something into the shared data
 * @param content what it is
 */
record TextOfTask(String source, List<String> vars, List<String> tasks, Expression content) implements Computed {
    TextOfTask {
        vars = List.copyOf(vars);
        tasks = List.copyOf(tasks);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return content.evaluate(scope);
    }

    @Override
    public Reads reads() {
        return content.reads();
    }

    @Override
    public List<Path> paths() {
        return content instanceof Computed computed ? computed.paths() : List.of();
    }

    @Override
    public Optional<String> text() {
        return new CallText(FastflowFunctions.FAMILY + ".text")
                .text(source)
                .texts(vars)
                .texts(tasks)
                .write();
    }
}
