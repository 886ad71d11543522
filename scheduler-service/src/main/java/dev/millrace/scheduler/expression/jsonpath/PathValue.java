package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a path leads to: null where there is nothing, an array where it may lead to several values. */
record PathValue(Expression root, List<PathSegment> segments, String path) implements Computed {
    PathValue {
        segments = List.copyOf(segments);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        return find(root.evaluate(scope), segments);
    }

    static JsonValue find(JsonValue from, List<PathSegment> segments) {
        Stream<JsonValue> found = Stream.of(from);
        for (PathSegment segment : segments) {
            found = found.flatMap(segment::of);
        }
        return segments.stream().anyMatch(PathSegment::isMany)
                ? JsonValue.of(found.map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")))
                : found.findFirst().orElse(JsonValue.NULL);
    }

    @Override
    public Reads reads() {
        return root.reads();
    }

    @Override
    public String toString() {
        return "${" + path + "}";
    }
}
