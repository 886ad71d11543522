package dev.millrace.scheduler.expression.jq;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.evaluator.Language;
import dev.millrace.scheduler.expression.evaluator.Remote;
import dev.millrace.scheduler.expression.evaluator.Request;
import java.util.List;
import java.util.Optional;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/**
 * A jq query. Its value is {@code {"result": first output or null, "resultList": [all outputs]}}.
 *
 * @param source text of the query
 * @param input of the query
 */
public record JqQuery(String source, Expression input) implements Computed {
    /** Maximum characters of a query. */
    private static final int SOURCE_CHARS_MAX = 65_536;

    static final String REMEDY = "Do such work in a task.";

    /**
     * Parses a query.
     *
     * @param query text, for example {@code .items | map(.id)}
     * @param input of the query; a {@link dev.millrace.scheduler.expression.Composed} makes an expression of a template
     */
    public static ExpressionReading read(String query, Expression input) {
        try {
            if (query.length() <= SOURCE_CHARS_MAX) {
                JsonQuery.compile(query, Builtins.VERSION);
            }
        } catch (JsonQueryException invalid) {
            return new ExpressionReading.Unreadable(notJqMessage(query, invalid), "Correct it.");
        } catch (StackOverflowError deep) {
            return new ExpressionReading.Unreadable("The query is nested too deeply.", "Use fewer brackets.");
        }
        return readUnchecked(query, input);
    }

    /**
     * Accepts a query whose text is known only at run time. An evaluator parses it during the evaluation, which fails
     * if the text is invalid.
     */
    public static ExpressionReading readUnchecked(String query, Expression input) {
        return query.length() > SOURCE_CHARS_MAX
                ? new ExpressionReading.Unreadable(
                        "The query has more than " + SOURCE_CHARS_MAX + " characters.", "Do the work in a task.")
                : new ExpressionReading.Read(new JqQuery(query, input));
    }

    /** Message for a text that is not a query. */
    static String notJqMessage(String query, JsonQueryException invalid) {
        return "The query \"" + query.strip() + "\" is not jq: "
                + String.valueOf(invalid.getMessage()).lines().findFirst().orElse("it cannot be parsed") + ".";
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        JsonValue value = input.evaluate(scope);
        if (value.length() > Meter.CHARS_MAX) {
            throw new EvaluationFailed(
                    "PayloadTooLarge", "A query reads more than the limit of " + Meter.CHARS_MAX + " characters.");
        }
        return JsonValue.of(Remote.value(new Request(
                Language.JQ, "The query \"" + source.strip() + "\"", REMEDY, List.of(source, value.text()))));
    }

    @Override
    public Reads reads() {
        return input.reads();
    }

    @Override
    public List<Path> paths() {
        return switch (input) {
            case Path path -> List.of(path);
            case Computed computed -> computed.paths();
        };
    }

    @Override
    public Optional<String> text() {
        return new CallText(JqFunctions.FAMILY + ".query")
                .text(source)
                .expression(input)
                .write();
    }
}
