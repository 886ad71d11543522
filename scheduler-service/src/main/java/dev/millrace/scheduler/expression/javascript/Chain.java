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
 * Script that is a plain path, evaluated without JavaScript but with its semantics: a missing member is null, and
 * reading a member of null fails.
 *
 * @param base start of the path
 * @param segments rest of the path
 * @param source text of the script
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

    /**
     * Adds parentheses, which keep the dialect {@code millrace} from reading the text as a plain path. There, a missing
     * member would fail instead of being null.
     */
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
