package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Remote;
import dev.millrace.scheduler.expression.evaluator.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Text with actions. A text that only inserts values is evaluated in place. A text that calls functions, tests or
 * repeats is evaluated by an evaluator process.
 *
 * @param root parsed text
 * @param names expressions for its names, by the keys of {@link NamesRead}
 * @param source text as written
 */
record GoText(Node root, Map<String, Expression> names, String source) implements Computed {
    private static final int SHOWN_CHARS_MAX = 80;

    GoText {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        if (root.isPlain()) {
            return written(root, scope);
        }
        return JsonValue.of(Remote.value(new Request(
                Language.GO_TEMPLATE,
                "The text \"" + shown() + "\"",
                "Do such work in a task.",
                GoEngine.parts(source, names, scope))));
    }

    static JsonValue written(Node root, Scope scope) {
        Output output = new Output(scope);
        root.write(output, null);
        return JsonValue.ofString(output.text());
    }

    private String shown() {
        return source.length() <= SHOWN_CHARS_MAX ? source : source.substring(0, SHOWN_CHARS_MAX) + "…";
    }

    @Override
    public boolean isPlain() {
        return root.isPlain() && names.values().stream().allMatch(Expression::isPlain);
    }

    @Override
    public Reads reads() {
        return names.values().stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (Expression expression : names.values()) {
            switch (expression) {
                case Path path -> paths.add(path);
                case Computed computed -> paths.addAll(computed.paths());
            }
        }
        return paths;
    }
}
