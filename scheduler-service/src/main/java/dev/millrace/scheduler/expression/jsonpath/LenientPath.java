package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Segment;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Path into a value; missing values are null. */
record LenientPath(Expression base, List<Segment> segments) implements Computed {
    /** Keys that need no quotes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

    LenientPath {
        segments = List.copyOf(segments);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        @Nullable JsonValue current = base.evaluate(scope);
        for (Segment segment : segments) {
            if (current == null || current.kind() == JsonValue.Kind.STRING) {
                return JsonValue.NULL;
            }
            boolean lengthOfArray = current.kind() == JsonValue.Kind.ARRAY && segment.key() != null;
            current = lengthOfArray ? null : segment.of(current);
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

    @Override
    public Optional<String> text() {
        String way = segments.stream().map(LenientPath::text).collect(Collectors.joining());
        return new CallText(PathFunctions.FAMILY + ".find")
                .expression(base)
                .text(way)
                .write();
    }

    private static String text(Segment segment) {
        String key = segment.key();
        if (key == null) {
            return "[" + segment.index() + "]";
        }
        String quote = key.contains("'") ? "\"" : "'";
        return NAME.matcher(key).matches() ? "." + key : "[" + quote + key + quote + "]";
    }
}
