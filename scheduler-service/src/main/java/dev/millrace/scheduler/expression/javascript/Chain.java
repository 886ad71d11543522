package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A script that is no more than a plain path, evaluated as JavaScript would but without it: a member that is not there is null, and
 * to look for a member of null fails.
 *
 * @param base where it begins
 * @param segments the way from there
 * @param source its text
 */
record Chain(Expression base, List<Segment> segments, String source) implements Computed {
    Chain {
        segments = List.copyOf(segments);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        @Nullable JsonValue current = base.evaluate(scope);
        for (Segment segment : segments) {
            if (current == null || current.isNull()) {
                if (segment.optional()) {
                    return JsonValue.NULL;
                }
                throw new EvaluationFailed(
                        "ExpressionFailed",
                        "The expression \"" + source + "\" failed: it looks for " + segment + " in "
                                + (current == null ? "undefined" : "null") + ".");
            }
            current = segment.of(current);
        }
        return current == null ? JsonValue.NULL : current;
    }

    @Override
    public boolean isPlain() {
        return base.isPlain();
    }

    @Override
    public Reads reads() {
        return base.reads();
    }

    @Override
    public List<Path> paths() {
        return switch (base) {
            case Path path -> List.of(path);
            case Computed computed -> computed.paths();
        };
    }

    /** In brackets, as it is evaluated unlike a plain path: a member that is not there is null. */
    @Override
    public Optional<String> text() {
        String way = ExpressionText.of(segments);
        boolean outermost = base instanceof Path(Root root, List<?> before)
                && before.isEmpty()
                && !(root instanceof Root.StepResultIfAny
                        && !segments.getFirst().optional());
        return ExpressionText.operand(base).map(begin -> outermost ? "(" + begin + way + ")" : "(" + begin + ")" + way);
    }

    @Override
    public Optional<String> operand() {
        return text();
    }
}
