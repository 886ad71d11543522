package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;

/**
 * Path that contains paths, so that what it reads is known only at evaluation.
 *
 * @param path template for the text of the path
 * @param source text as written
 */
record NestedPath(Template path, References references, String source) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue text = new Composed(path).evaluate(scope);
        String inner = text.kind() == JsonValue.Kind.STRING ? text.string() : text.text();
        try {
            return PathReader.read(inner, references).evaluate(scope);
        } catch (PathInvalid invalid) {
            throw new EvaluationFailed(
                    "ExpressionFailed",
                    "The path \"${" + source + "}\" became \"" + inner + "\": " + invalid.sentence());
        }
    }

    @Override
    public Reads reads() {
        return Reads.ANY;
    }

    @Override
    public String toString() {
        return "${" + source + "}";
    }
}
