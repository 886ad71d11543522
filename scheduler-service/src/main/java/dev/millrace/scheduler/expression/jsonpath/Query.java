package dev.millrace.scheduler.expression.jsonpath;

import com.jayway.jsonpath.JsonPath;
import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Remote;
import dev.millrace.scheduler.expression.evaluator.Request;
import java.util.List;
import java.util.Optional;

/**
 * JSONPath with filters, wildcards, slices or functions. If it finds nothing, the value is an empty array for a path
 * that may find several values, otherwise null.
 *
 * @param source path as written, from the base on
 */
record Query(Expression base, JsonPath path, String source) implements Computed {
    /** Maximum characters of the input. */
    private static final int INPUT_CHARS_MAX = 1024 * 1024;

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = base.evaluate(scope);
        if (value.length() > INPUT_CHARS_MAX) {
            throw new EvaluationFailed(
                    "PayloadTooLarge",
                    "The path " + path.getPath() + " searches more than the limit of " + INPUT_CHARS_MAX
                            + " characters.");
        }
        return JsonValue.of(Remote.value(new Request(
                Language.JSON_PATH,
                "The path \"" + path.getPath() + "\"",
                "Do such work in a task.",
                List.of("$" + source, value.text()))));
    }

    @Override
    public Reads reads() {
        return base.reads();
    }

    @Override
    public List<Path> paths() {
        return switch (base) {
            case Path plain -> List.of(plain);
            case Computed computed -> computed.paths();
        };
    }

    @Override
    public Optional<String> text() {
        return new CallText(PathFunctions.FAMILY + ".find")
                .expression(base)
                .text(source)
                .write();
    }
}
