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
 * Text with actions in double braces, and the definitions of the names in it.
 *
 * @param source text as written
 * @param vars variables of the flow
 * @param tasks tasks that may write shared data
 * @param content expression for the text
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
