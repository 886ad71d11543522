package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;

/** What a path leads to whose segments are made of values. */
record ComputedPath(Expression root, Expression segments, String path) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        String text = segments.evaluate(scope).string();
        try {
            return PathValue.find(root.evaluate(scope), PathSegments.read(text));
        } catch (PathInvalid invalid) {
            throw new EvaluationFailed(this + " has no value. " + invalid.sentence());
        }
    }

    @Override
    public Reads reads() {
        return root.reads().and(segments.reads());
    }

    @Override
    public String toString() {
        return "${" + path + "}";
    }
}
