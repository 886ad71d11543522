package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with actions inside.
 *
 * @param root what it consists of
 * @param expressions what it may read
 * @param source as it is written
 */
record GoText(Node root, List<Expression> expressions, String source) implements Computed {
    GoText {
        expressions = List.copyOf(expressions);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        Output output = new Output(scope);
        root.write(output, null);
        return JsonValue.ofString(output.text());
    }

    @Override
    public Reads reads() {
        return expressions.stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (Expression expression : expressions) {
            switch (expression) {
                case Path path -> paths.add(path);
                case Computed computed -> paths.addAll(computed.paths());
            }
        }
        return paths;
    }
}
