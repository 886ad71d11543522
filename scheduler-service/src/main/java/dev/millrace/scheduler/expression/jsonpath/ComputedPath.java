package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Path whose text contains values, applied to a base.
 *
 * @param base start of the path
 * @param way text of the path from there
 */
record ComputedPath(Expression base, Expression way) implements Computed {
    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue text = way.evaluate(scope);
        String path = text.kind() == JsonValue.Kind.STRING ? text.string() : text.text();
        try {
            return PathReader.at(base, path, 0).evaluate(scope);
        } catch (PathInvalid invalid) {
            throw new EvaluationFailed("ExpressionFailed", "The path became \"" + path + "\": " + invalid.sentence());
        }
    }

    @Override
    public Reads reads() {
        return base.reads().and(way.reads());
    }

    @Override
    public List<Path> paths() {
        return Stream.of(base, way)
                .flatMap(part -> switch (part) {
                    case Path path -> Stream.of(path);
                    case Computed computed -> computed.paths().stream();
                })
                .toList();
    }

    @Override
    public Optional<String> text() {
        return new CallText(PathFunctions.FAMILY + ".computed")
                .expression(base)
                .expression(way)
                .write();
    }
}
